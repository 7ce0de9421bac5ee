import { expect, test } from 'vitest'
import { toPrompt } from './build-turn.ts'
import { createChatStore, type ChatMessage, type ChatState } from '../chat-store.ts'
import { shorten } from './shorter-context.ts'

/** Returns a branch of alternating questions and answers, with fields for some of them. */
function branch(length: number, fields: Record<string, Partial<ChatMessage>> = {}): ChatState {
  const order = Array.from({ length }, (_, index) => `m${index}`)
  const messages = Object.fromEntries(
    order.map((id, index): [string, ChatMessage] => [
      id,
      {
        id,
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: id,
        parentId: order[index - 1] ?? null,
        childrenIds: [],
        siblingIds: [id],
        ...fields[id],
      } as ChatMessage,
    ]),
  )
  return { ...createChatStore('chat').getState(), order, messages }
}

const sent = (state: ChatState, lastId: string): string[] =>
  toPrompt(state, lastId).map(({ content }) => content)

test('the older half is left out, and what is sent begins with a question', () => {
  expect(shorten(branch(12), 'm11')).toEqual({ context_start: 'm6', left_out: 6 })
  expect(shorten(branch(6), 'm5')).toEqual({ context_start: 'm4', left_out: 4 })
})

test('an answer that failed without a word counts for nothing', () => {
  expect(shorten(branch(6, { m3: { content: '' } }), 'm5')).toEqual({
    context_start: 'm2',
    left_out: 2,
  })
})

test('nothing can be left out of a conversation of one question', () => {
  expect(shorten(branch(2), 'm1')).toBeNull()
  expect(shorten(branch(2), 'gone')).toBeNull()
})

test('a conversation that is still too long is shortened again, to the question at last', () => {
  const once = branch(12, { m11: { context_start: 'm6', left_out: 6 } as Partial<ChatMessage> })
  expect(shorten(once, 'm11')).toEqual({ context_start: 'm10', left_out: 10 })
  const twice = branch(12, { m11: { context_start: 'm10', left_out: 10 } as Partial<ChatMessage> })
  expect(shorten(twice, 'm11')).toBeNull()
})

test('a model reads from where the branch was shortened last, in later turns too', () => {
  const shortened = { context_start: 'm2', left_out: 2 } as Partial<ChatMessage>
  const state = branch(8, { m5: shortened })
  expect(sent(state, 'm4')).toEqual(['m2', 'm3', 'm4'])
  expect(sent(state, 'm6')).toEqual(['m2', 'm3', 'm4', 'm5', 'm6'])
  expect(sent(branch(8), 'm4')).toEqual(['m0', 'm1', 'm2', 'm3', 'm4'])
})

test('a start that is gone, or fields of another kind, leave the conversation whole', () => {
  const gone = { context_start: 'deleted', left_out: 2 } as Partial<ChatMessage>
  const odd = { context_start: 7, left_out: 'two' } as unknown as Partial<ChatMessage>
  for (const fields of [gone, odd])
    expect(sent(branch(4, { m3: fields }), 'm2')).toEqual(['m0', 'm1', 'm2'])
})
