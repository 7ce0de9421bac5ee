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

const answer = { userId: 'ada', chatId: 'a chat', messageId: 'a message', temporarySession: null }
const done = {
  type: 'chat:completion',
  data: { done: true, content: 'hi', reasoning_content: 'hm' },
} as const
const WITH_THOUGHT = (text: string) =>
  `<details type="reasoning" done="true">\n<summary>Thought</summary>\n> hm\n</details>\n${text}`
const filteredTo = (text: string) => ({
  ...place,
  data: {
    type: 'chat:outlet',
    data: { messages: [{ id: 'a message', role: 'assistant', content: WITH_THOUGHT(text) }] },
  },
})
const ended = { ...place, data: { type: 'chat:active', data: { active: false } } }

test('the end of an answer carries its parts as they are stored', async () => {
  const output = [{ type: 'function_call', name: 'weather' }, { type: 'message' }]
  const data = { ...done, data: { ...done.data, output } }
  const [, end] = await new ReferenceEvents(texts).translate({ ...place, data })
  expect(end?.data.data).toMatchObject({ done: true, output })
})

test('filters that change an answer are reported once, with the changed text and its thoughts', async () => {
  const events = new ReferenceEvents(texts)
  await events.translate({ ...place, data: done })
  const messages = [{ id: 'a message', content: 'HI' }]
  const data = { type: 'chat:outlet', data: { messages } } as const
  expect(await events.translate({ ...place, data })).toEqual([filteredTo('HI')])
  expect(events.over(answer)).toEqual([ended])
})

test('an answer that no filter changed is reported as filtered before what follows it', async () => {
  const events = new ReferenceEvents(texts)
  const types = (await events.translate({ ...place, data: done })).map(({ data }) => data.type)
  expect(types).toEqual(['chat:completion', 'chat:completion'])
  const data = { type: 'chat:message:follow_ups', data: { follow_ups: ['More?'] } } as const
  expect(await events.translate({ ...place, data })).toEqual([filteredTo('hi'), { ...place, data }])
  expect(events.over(answer)).toEqual([ended])
  await events.translate({ ...place, data: done })
  expect(events.over(answer)).toEqual([filteredTo('hi'), ended])
})
