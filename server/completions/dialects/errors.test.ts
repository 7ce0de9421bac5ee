import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Script } from '../../testing/fake-upstream/script.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'
import { upstreamFailed } from '../../lib/errors.ts'
import { readReported } from '../../providers/upstream/reported-fault.ts'
import { toErrorFrame } from './chat-completions.ts'

const TOO_LONG = {
  message: "This model's maximum context length is 8192 tokens.",
  type: 'invalid_request_error',
  param: 'messages',
  code: 'context_length_exceeded',
}
const said = (error: object) => JSON.stringify({ error })
const script: Script = async ({ messages }) => {
  const wanted = JSON.stringify(messages.at(-1))
  if (wanted.includes('stream')) {
    return {
      steps: [
        { kind: 'content', text: 'Partial' },
        { kind: 'raw', bytes: `data: ${said(TOO_LONG)}\n\n` },
      ],
    }
  }
  if (wanted.includes('quota')) {
    return {
      status: 429,
      body: said({
        message: 'No money.',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
        param: null,
      }),
    }
  }
  if (wanted.includes('sentence'))
    return { status: 400, body: said({ message: 'No.', code: 'a sentence <b>' }) }
  return { status: 400, body: said(TOO_LONG) }
}

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation({ upstream: { script } })
})
afterAll(() => conversation.close())

const PATHS = {
  chat: '/api/chat/completions',
  messages: '/api/v1/messages',
  responses: '/openai/responses',
} as const
const ask = async (dialect: keyof typeof PATHS, text: string, more: object = {}) => {
  const content =
    dialect === 'responses'
      ? { input: text }
      : { messages: [{ role: 'user', content: text }], max_tokens: 9 }
  const body = { model: 'echo', ...content, ...more }
  return conversation.server.call('POST', PATHS[dialect], { token: conversation.token, body })
}
const errorOf = async (response: Response) =>
  ((await response.json()) as { error: Record<string, unknown> }).error

describe('What a provider says of its error', () => {
  test.each(['chat', 'responses'] as const)('comes through in the %s dialect', async (dialect) => {
    const response = await ask(dialect, 'long')
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toEqual(TOO_LONG)
    const limited = await ask(dialect, 'quota')
    expect(limited.status).toBe(429)
    expect(await errorOf(limited)).toMatchObject({
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      param: null,
    })
  })

  test('is told in the words of the messages dialect', async () => {
    expect(await errorOf(await ask('messages', 'long'))).toEqual({
      type: 'invalid_request_error',
      message: `prompt is too long: ${TOO_LONG.message}`,
    })
    expect(await errorOf(await ask('messages', 'quota'))).toMatchObject({
      type: 'rate_limit_error',
    })
  })

  test('comes through in a stream that has begun', async () => {
    const responses = await (await ask('responses', 'stream', { stream: true })).text()
    expect(responses).toContain('"code":"context_length_exceeded"')
    const messages = await (await ask('messages', 'stream', { stream: true })).text()
    expect(messages).toContain('prompt is too long')
    const chat = await (await ask('chat', 'stream', { stream: true })).text()
    expect(chat).toContain('context_length_exceeded')
  })

  test.each([
    'the input length exceeds the context length',
    'prompt too long; exceeded max context length by 12 tokens',
    'request (9000 tokens) exceeds the available context size (8192 tokens)',
  ])('is known as a conversation that is too long by "%s"', async (message) => {
    const fault = readReported({ error: message }, message).reported
    expect(fault).toEqual({ code: 'context_length_exceeded' })
  })

  test('is repeated only where it is a word for machines', async () => {
    expect(await errorOf(await ask('chat', 'sentence'))).toMatchObject({
      code: 'upstream_refused',
      type: 'invalid_request_error',
    })
  })
})

describe('Errors of the gateway itself', () => {
  test('name no parameter for a body that is no JSON', async () => {
    const { server, token } = conversation
    const reply = await server.call('POST', PATHS.chat, { token, body: '{' })
    expect(reply.status).toBe(422)
    expect(await reply.json()).toMatchObject({
      detail: [{ loc: ['body'], type: 'json_invalid' }],
      error: { param: null, code: 'invalid_json' },
    })
  })

  test.each([
    ['/api/v1/messages', { error: { type: 'authentication_error' }, type: 'error' }],
    [
      '/api/chat/completions',
      { error: { type: 'authentication_error', param: null, code: 'invalid_credential' } },
    ],
    ['/openai/responses', { error: { type: 'authentication_error' } }],
    ['/v1/messages', { error: { type: 'authentication_error' }, type: 'error' }],
    ['/v1/embeddings', { error: { type: 'authentication_error' } }],
    ['/openai/moderations', { error: { type: 'authentication_error' } }],
  ])('have the shape of the dialect at %s for a refused key', async (path, shape) => {
    const response = await conversation.server.call('POST', path, { token: 'sk-wrong', body: {} })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ detail: expect.any(String), ...shape })
  })

  test.each([
    ['/api/v1/messages/batches', { type: 'error', error: { type: 'not_found_error' } }],
    ['/ollama/v1/no-such', { error: { type: 'not_found_error', code: 'not_found' } }],
    ['/llmhost/v1/no-such', { error: { type: 'not_found_error' } }],
    ['/llmhost/api/no-such', { error: expect.any(String) }],
    ['/v1/no-such', { error: { type: 'not_found_error', code: 'not_found' } }],
    ['/v1/chat/completions/no/such?a=b', { error: { type: 'not_found_error' } }],
    ['/v1/messages/batches', { type: 'error', error: { type: 'not_found_error' } }],
    ['/api/v1/moderations', { error: { type: 'not_found_error', code: 'not_found' } }],
    ['/api/batches', { error: { type: 'not_found_error' } }],
    ['/v1/audio/speech', { error: { type: 'not_found_error' } }],
  ])('have the shape of the dialect at %s, where nothing is', async (path, shape) => {
    const response = await conversation.server.call('POST', path, {
      token: conversation.token,
      body: { input: 'Hello' },
    })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject(shape)
  })

  test.each([
    ['/v1/models', { error: { type: 'authentication_error' } }],
    ['/api/models', { error: { type: 'authentication_error' } }],
    ['/ollama/api/version', { error: expect.any(String) }],
  ])('have the shape of the dialect where %s is read with a refused key', async (path, shape) => {
    const response = await conversation.server.call('GET', path, { token: 'sk-wrong' })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ detail: expect.any(String), ...shape })
  })

  test.each([
    ['/v1/messages', { type: 'error', error: { type: 'permission_error' } }],
    ['/api/v1/images/generations', { error: { type: 'permission_error' } }],
    ['/v1/chat/completions', { error: { type: 'permission_error', code: 'foreign_origin' } }],
    ['/llmhost/api/chat', { error: expect.any(String) }],
  ])('have the shape of the dialect at %s for the page of somebody else', async (path, shape) => {
    const headers = { Origin: 'https://elsewhere.example' }
    const response = await conversation.server.call('POST', path, {
      token: conversation.token,
      body: {},
      headers,
    })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject(shape)
  })

  test('name the field that does not fit, and the model that is not there', async () => {
    expect(await errorOf(await ask('chat', 'x', { messages: 5 }))).toMatchObject({
      param: 'messages',
    })
    expect(await errorOf(await ask('responses', 'x', { model: 'none' }))).toMatchObject({
      code: 'model_not_found',
    })
  })
})

test('a stream that fails carries the sentence for SDKs and for clients of the reference system', () => {
  const frame = toErrorFrame(upstreamFailed('A pipe: boom', { code: 'pipe_failed' }))
  expect(JSON.parse(frame.slice('data: '.length))).toEqual({
    error: {
      message: 'A pipe: boom',
      detail: 'A pipe: boom',
      type: 'server_error',
      param: null,
      code: 'pipe_failed',
    },
  })
})
