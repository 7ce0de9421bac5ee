import { expect, test } from 'vitest'
import { toCompletion } from './convert-answer.ts'
import { toMessagesRequest } from './convert-request.ts'
import { MessagesDecoder } from './decode-stream.ts'

const FAULTS = { name: 'Native', secrets: [] }
const THOUGHTS = [
  { type: 'thinking', thinking: 'I look.', signature: 'signed' },
  { type: 'redacted_thinking', data: 'sealed' },
]
const USE = { type: 'tool_use', id: 't1', name: 'look', input: {} }
const RESULT = { role: 'tool', tool_call_id: 't1', content: 'Snow' }
const question = { role: 'user', content: 'Look' }

test('Sealed thoughts go back to their provider before the call they led to, which may go on thinking', () => {
  const { choices } = toCompletion(
    { content: [...THOUGHTS, USE], stop_reason: 'tool_use' },
    'm',
    FAULTS,
  )
  const body = { messages: [question, choices[0]!.message, RESULT], reasoning_effort: 'low' }
  const sent = toMessagesRequest(body, 'm', false)
  expect((sent['messages'] as { content: unknown }[])[1]!.content).toEqual([...THOUGHTS, USE])
  expect(sent['thinking']).toMatchObject({ type: 'enabled' })
})

test('Without their seals thoughts do not begin anew between a call and its result', () => {
  const call = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 't1', function: { name: 'look', arguments: '{}' } }],
  }
  expect(
    toMessagesRequest({ messages: [question, call, RESULT], reasoning_effort: 'low' }, 'm', false),
  ).not.toHaveProperty('thinking')
})

test('Thinking the caller chooses is sent as it came, with its limit, and never starts after a tool', () => {
  const thinking = { type: 'enabled', budget_tokens: 2000 }
  const effort = { reasoning_effort: 'high', temperature: 0.5 }
  const sent = toMessagesRequest(
    { messages: [question], thinking, max_tokens: 2500, ...effort },
    'm',
    false,
  )
  expect(sent).toMatchObject({ thinking, max_tokens: 2500 })
  expect(sent).not.toHaveProperty('temperature')
  const long = { type: 'enabled', budget_tokens: 30_000 }
  const unlimited = toMessagesRequest({ messages: [question], thinking: long }, 'm', false)
  expect(unlimited).toMatchObject({ thinking: long, max_tokens: 34_096 })
  const off = { type: 'disabled' }
  expect(
    toMessagesRequest({ messages: [question], thinking: off, ...effort }, 'm', false),
  ).toMatchObject({ thinking: off, temperature: 0.5 })
  const call = { id: 't1', function: { name: 'look', arguments: '{}' } }
  const round = [question, { role: 'assistant', content: null, tool_calls: [call] }, RESULT]
  for (const value of [thinking, { type: 'enabled' }, { type: 'other' }, 'enabled'])
    expect(toMessagesRequest({ messages: round, thinking: value }, 'm', false)).not.toHaveProperty(
      'thinking',
    )
})

test('Seals of other formats are left out', () => {
  const details = [{ type: 'reasoning.encrypted', data: 'x', format: 'openai-responses-v1' }]
  const sent = toMessagesRequest(
    { messages: [question, { role: 'assistant', content: 'Hi', reasoning_details: details }] },
    'm',
    false,
  )
  expect((sent['messages'] as { content: unknown }[])[1]!.content).toEqual([
    { type: 'text', text: 'Hi' },
  ])
})

test('A stream tells the seal of thoughts with all of them', () => {
  const events = [
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'I ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'look.' } },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'signature_delta', signature: 'signed' },
    },
    { type: 'content_block_start', index: 1, content_block: THOUGHTS[1] },
  ]
  const bytes = Buffer.from(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  )
  const frames = new MessagesDecoder({ model: 'm', faults: FAULTS }).push(bytes)
  const deltas = frames.flatMap((frame) =>
    'choices' in frame ? [(frame.choices as { delta: Record<string, unknown> }[])[0]!.delta] : [],
  )
  expect(deltas.flatMap(({ reasoning_details: details }) => details ?? [])).toEqual([
    {
      type: 'reasoning.text',
      index: 0,
      text: 'I look.',
      signature: 'signed',
      format: 'anthropic-claude-v1',
    },
    { type: 'reasoning.encrypted', index: 1, data: 'sealed', format: 'anthropic-claude-v1' },
  ])
})
