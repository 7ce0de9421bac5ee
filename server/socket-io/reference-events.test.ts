import { expect, test } from 'vitest'
import { parsePluginEvent } from '../lib/plugin-events.ts'
import { ReferenceEvents } from './reference-events.ts'

const place = { chat_id: 'a chat', message_id: 'a message' }
const texts = { textOf: async () => '', titleOf: async () => '' }

test('a completion event of a plugin is passed on before the end of the answer too', async () => {
  const data = parsePluginEvent({ type: 'chat:completion', data: { content: 'so far' } })
  expect(await new ReferenceEvents(texts).translate({ ...place, data })).toEqual([
    { ...place, data: { type: 'chat:completion', data: { content: 'so far' } } },
  ])
})

test('the event of the gateway itself, without any content, is not sent', async () => {
  const events = new ReferenceEvents(texts)
  const data = { type: 'chat:completion', data: { done: false } } as const
  expect(await events.translate({ ...place, data })).toEqual([])
})
