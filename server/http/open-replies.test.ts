import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { OpenReplies } from './open-replies.ts'

const openReply = (): ServerResponse =>
  Object.assign(new EventEmitter(), { shouldKeepAlive: true }) as unknown as ServerResponse

test('Replies leave in any order, and those that are left are still told', async () => {
  const replies = new OpenReplies()
  const [first, second, third, fourth] = [openReply(), openReply(), openReply(), openReply()]
  for (const reply of [first, second, third, fourth]) replies.add(reply)
  second.emit('close')
  first.emit('close')
  replies.closeConnections()
  expect([first, second, third, fourth].map(({ shouldKeepAlive }) => shouldKeepAlive)).toEqual([
    true,
    true,
    false,
    false,
  ])
  let isSettled = false
  const settled = replies.settle(60_000).then(() => (isSettled = true))
  third.emit('close')
  await Promise.resolve()
  expect(isSettled).toBe(false)
  fourth.emit('close')
  await settled
})
