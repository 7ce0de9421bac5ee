import { expect, test } from 'vitest'
import type { ChatCompletionChunk } from '#contract/completions.ts'
import { EventTexts } from './event-texts.ts'

const chunk = (content: string): ChatCompletionChunk =>
  ({
    id: 'a',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'text',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }) as ChatCompletionChunk

function send(texts: EventTexts, content: string): unknown[] {
  return texts.insert(chunk(content)).map(({ choices }) => choices[0]!.delta.content)
}
const write = (texts: EventTexts, type: 'message' | 'replace', content: string): void =>
  texts.note({ type, data: { content } })

test('A replacement of a very long text is sent as a whole, because it is not compared', () => {
  const texts = new EventTexts()
  const long = 'x'.repeat(1024 * 1024 + 1)
  send(texts, long)
  write(texts, 'replace', `${long} and more`)
  expect(send(texts, 'end')).toEqual([`\n\n${long} and more`, 'end'])
})

test('Events that write without end fail the reply instead of filling the memory', () => {
  const texts = new EventTexts()
  for (let count = 0; count < 7; count += 1) write(texts, 'message', 'x'.repeat(1024 * 1024))
  expect(() => send(texts, 'text')).toThrow(/more into the answer by events/)
  expect(() => texts.weave('text')).toThrow(/more into the answer by events/)
})
