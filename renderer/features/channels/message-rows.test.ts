import { expect, it } from 'vitest'
import { sampleShown as message } from '../../testing/channel-samples.ts'
import { toRows } from './message-rows.ts'

const kinds = (...args: Parameters<typeof toRows>): string[] =>
  toRows(...args).map((row) =>
    row.kind === 'message' ? `${row.isFollowing ? '+' : ''}${row.message.id}` : row.kind,
  )

const DAY = 24 * 60

it('messages stand under their day, and close ones of an author under one name', () => {
  const other = { user_id: 'u2', user: { id: 'u2', name: '2', profile_image_url: '' } }
  const list = [
    message('a'),
    message('b', { minute: 4 }),
    message('c', { minute: 10 }),
    message('d', { minute: 11, ...other }),
    message('e', { minute: 12 }),
    message('f', { minute: DAY }),
  ]
  expect(kinds(list, null)).toEqual(['day', 'a', '+b', 'c', 'd', 'e', 'day', 'f'])
})

it('a line stands above the first unread message, which names its author anew', () => {
  expect(kinds([message('a'), message('b', { minute: 1 })], 'b')).toEqual(['day', 'a', 'new', 'b'])
})

it('answers of models, webhooks under another name and quoting messages begin anew', () => {
  const hook = (name: string) => ({
    user: { id: 'w1', name, role: 'webhook' as const, profile_image_url: '' },
  })
  const list = [
    message('a'),
    message('b', { meta: { model_id: 'm', done: true } }),
    message('c', { reply_to_id: 'a' }),
    message('d', hook('Build')),
    message('e', hook('Build 2')),
  ]
  expect(kinds(list, null)).toEqual(['day', 'a', 'b', 'c', 'd', 'e'])
})
