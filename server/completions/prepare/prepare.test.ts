import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { prepareRequest } from './prepare.ts'

beforeEach(() => void vi.useFakeTimers({ now: new Date(2031, 4, 6, 7, 8, 9) }))
afterEach(() => void vi.useRealTimers())

/** Only the parts that a request without external work needs. */
const parts = { settings: { get: () => false } } as unknown as CompletionsParts
const toExchange = (sent: ChatCompletionRequest, turn: Partial<Exchange['turn']> | null = null) =>
  ({
    sent,
    turn,
    caller: { name: 'Ada', email: 'ada@localhost' },
    resolved: { preset: null },
    findings: { sources: [], leftOut: [] },
    folder: async () => null,
  }) as unknown as Exchange
const ask = (
  content: unknown,
  more: Partial<ChatCompletionRequest> = {},
): ChatCompletionRequest => ({
  model: 'm',
  messages: [{ role: 'user', content }],
  ...more,
})
/**
 * A request that needs no external work is ready synchronously, so that it is sent within the same
 * turn.
 */
function prepare(request: ChatCompletionRequest): ChatCompletionRequest {
  const prepared = prepareRequest(parts, toExchange(request))
  if (prepared instanceof Promise) throw new Error('This request had to wait.')
  return prepared
}

test('A request with nothing to do comes back as the same object, so that its bytes can be relayed', () => {
  const request = ask('What does {{USER_NAME}} mean in a template?')
  expect(prepare(request)).toBe(request)
})

test('An empty message list means the stored thread', async () => {
  const spokenThread = async () => [{ role: 'user', content: 'Stored question' }]
  const stored = {
    ...parts,
    chats: { spokenThread },
  } as unknown as CompletionsParts
  const turn = { chatId: 'chat', parentId: 'question', temporarySession: null }
  const request = { model: 'm', messages: [] }
  expect((await prepareRequest(stored, toExchange(request, turn))).messages).toEqual([
    { role: 'user', content: 'Stored question' },
  ])
})

test('variables fill system and user text in strings and in parts, and nothing else', () => {
  const request = ask('I am {{USER_NAME}} of {{ CITY }}, {{UNKNOWN}}', {
    variables: { '{{USER_NAME}}': 'Bob', CITY: 7, BAD: { a: 1 } },
  })
  request.messages.unshift(
    { role: 'system', content: 'Speak {{USER_LANGUAGE}}.' },
    { role: 'assistant', content: '{{CITY}}' },
  )
  request.messages.push({
    role: 'user',
    content: [{ type: 'text', text: '{{CITY}}' }, { type: 'image_url' }],
  })
  expect(prepare(request).messages).toEqual([
    { role: 'system', content: 'Speak {{USER_LANGUAGE}}.' },
    { role: 'assistant', content: '{{CITY}}' },
    { role: 'user', content: 'I am Bob of 7, {{UNKNOWN}}' },
    { role: 'user', content: [{ type: 'text', text: '7' }, { type: 'image_url' }] },
  ])
})

test('row 94: the name of a variable may be a million spaces, and stand in braces with space in them', () => {
  const variables = { [`${' '.repeat(1_000_000)}x`]: 'never', '{{  PLACE  }}': 'here' }
  expect(prepare(ask('{{PLACE}}', { variables })).messages[0]!['content']).toBe('here')
})

test('Built-in names are filled when the caller sent variables without them', () => {
  const text =
    '{{USER_NAME}} {{CURRENT_DATE}} {{CURRENT_TIME}} {{CURRENT_DATETIME}} {{CURRENT_WEEKDAY}}'
  expect(prepare(ask(text, { variables: {} })).messages[0]!['content']).toBe(
    'Ada 2031-05-06 07:08:09 2031-05-06 07:08:09 Tuesday',
  )
})

test('A value is inserted as it is, even when it looks like a placeholder or a pattern', () => {
  const variables = { A: '{{B}} $& $1', B: 'no', ['__proto__x']: 'p' }
  expect(
    prepare(ask('{{A}} {{constructor}} {{__proto__}}', { variables })).messages[0]!['content'],
  ).toBe('{{B}} $& $1 {{constructor}} {{__proto__}}')
})

test('params put the system prompt in front and sampling values beside the messages, and the request itself wins', () => {
  const params = {
    system: 'Be brief.',
    temperature: 0.2,
    top_p: 0.5,
    seed: null,
    custom_params: { top_k: 5 },
    function_calling: 'native',
  }
  const prepared = prepare(
    ask('Hi', {
      params: { ...params, model: 'other', stream: true, messages: [] },
      temperature: 0.9,
    }),
  )
  expect(prepared).toMatchObject({ model: 'm', temperature: 0.9, top_p: 0.5, top_k: 5 })
  expect(prepared['stream']).toBeUndefined()
  expect(prepared).not.toHaveProperty('function_calling')
  expect(prepared).not.toHaveProperty('seed')
  expect(prepared.messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ])
})

test('the system prompt of params is a template, also in a call without variables', async () => {
  const system = 'You serve {{USER_NAME}} of {{USER_BIO}}, {{CITY}}.'
  const people = { promptNames: async () => new Map([['USER_BIO', 'many words']]) }
  const first = async (more: Partial<ChatCompletionRequest>): Promise<unknown> => {
    const sent = ask('Hi {{USER_NAME}}', { params: { system }, ...more })
    return (await prepareRequest({ ...parts, people }, toExchange(sent))).messages
  }
  expect(await first({})).toEqual([
    { role: 'system', content: 'You serve Ada of many words, {{CITY}}.' },
    { role: 'user', content: 'Hi {{USER_NAME}}' },
  ])
  expect(await first({ variables: { CITY: 'Kiel', USER_BIO: 'few words' } })).toEqual([
    { role: 'system', content: 'You serve Ada of few words, Kiel.' },
    { role: 'user', content: 'Hi Ada' },
  ])
})

test('The system prompt of params goes in front of one the conversation has', () => {
  const request = ask('Hi', { params: { system: 'Be brief.' } })
  request.messages.unshift({ role: 'system', content: 'Be kind.' })
  expect(prepare(request).messages[0]).toEqual({ role: 'system', content: 'Be brief.\nBe kind.' })
})
