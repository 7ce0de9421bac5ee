import { expect, test } from 'vitest'
import type { ChatCompletionChunk } from '#contract/completions.ts'
import { createAnswer } from './answer.ts'
import { normalizeUsage } from '../generate/normalize-usage.ts'
import { toCompletion } from '../dialects/chat-completions.ts'

type Delta = ChatCompletionChunk['choices'][number]['delta']
const piece = (delta: Delta, finish: string | null = null): ChatCompletionChunk => ({
  id: 'chatcmpl-1',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

test('Content, reasoning and usage are collected apart, and reasoning and answer are timed', () => {
  let now = 1000
  const answer = createAnswer({ now: () => now })
  answer.append(piece({ role: 'assistant', content: '' }))
  answer.append(piece({ reasoning_content: 'Hm. ' }))
  now += 2340
  answer.append(piece({ reasoning_content: null, content: 'Four' }))
  now += 5000
  answer.append(piece({ content: '.' }, 'stop'))
  answer.append({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } })
  answer.close()
  expect(answer).toMatchObject({
    content: 'Four.',
    reasoning: 'Hm. ',
    reasoningSeconds: 2.3,
    seconds: 7.3,
    finishReason: 'stop',
  })
  expect(answer.usage).toEqual({
    prompt_tokens: 3,
    completion_tokens: 2,
    input_tokens: 3,
    output_tokens: 2,
    total_tokens: 5,
  })
})

test('Pieces of tool calls are joined by their index and come out in the completion', () => {
  const answer = createAnswer()
  answer.append(
    piece({
      tool_calls: [
        { index: 0, id: 'call_1', type: 'function', function: { name: 'find', arguments: '{"a"' } },
      ],
    }),
  )
  answer.append(
    piece({
      tool_calls: [
        { index: 1, id: 'call_2', type: 'function', function: { name: 'stop', arguments: '' } },
      ],
    }),
  )
  answer.append(piece({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }, 'tool_calls'))
  const completion = toCompletion(answer, { model: 'm', messageId: 'x' })
  expect(completion.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: {
      content: null,
      tool_calls: [
        { id: 'call_1', function: { name: 'find', arguments: '{"a":1}' } },
        { id: 'call_2', function: { name: 'stop' } },
      ],
    },
  })
})

test('Endless tool calls are counted and bounded', () => {
  const answer = createAnswer()
  for (let index = 0; index < 3000; index += 1)
    answer.append(piece({ tool_calls: [{ index, function: { name: 'f', arguments: '{"a":1}' } }] }))
  expect(answer.toolCalls).toHaveLength(1000)
  expect(answer.size).toBe(3000 * '{"a":1}'.length)
})

test('A frame without choices or with further choices changes nothing but what it says', () => {
  const answer = createAnswer()
  answer.append({ choices: [] })
  answer.append({
    choices: [
      { index: 0, delta: { content: 'a' } },
      { index: 1, delta: { content: 'b' } },
    ],
  })
  expect(answer).toMatchObject({ content: 'a', usage: null, upstreamId: null })
})

test.each([
  [
    { input_tokens: 1, output_tokens: 2 },
    { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  ],
  [
    { prompt_tokens: '9', completion_tokens: -4 },
    { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
  ],
  [
    { total_tokens: 12, eval_count: 5 },
    { input_tokens: 0, output_tokens: 0, total_tokens: 12, eval_count: 5 },
  ],
])('usage %j gets both spellings', (usage, expected) => {
  expect(normalizeUsage(usage)).toMatchObject(expected)
})
