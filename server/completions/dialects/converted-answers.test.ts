import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Script, Step } from '../../testing/fake-upstream/script.ts'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

const frame = (delta: object, finish: string | null = null): Step => ({
  kind: 'raw',
  bytes: `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
})
const whole = (message: object, finish: string) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: finish }],
  }),
})

const script: Script = async ({ messages, stream }) => {
  const wanted = JSON.stringify(messages.at(-1))
  if (wanted.includes('refuse')) {
    return stream
      ? { steps: [frame({ refusal: 'I will not.' }, 'stop')] }
      : whole({ role: 'assistant', content: null, refusal: 'I will not.' }, 'stop')
  }
  if (wanted.includes('filter')) {
    return stream
      ? {
          steps: [
            frame({ content: '' }, 'content_filter'),
            { kind: 'raw', bytes: 'data: [DONE]\n\n' },
          ],
        }
      : whole({ role: 'assistant', content: '' }, 'content_filter')
  }
  return { steps: [{ kind: 'content', text: 'Done.' }] }
}

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation({ upstream: { script } })
})
afterAll(() => conversation.close())

const post = (path: string, body: object) =>
  conversation.server.call('POST', path, {
    token: conversation.token,
    body: { model: 'echo', ...body },
  })
const askMessages = (content: unknown, more: object = {}) =>
  post('/api/v1/messages', { max_tokens: 9, messages: [{ role: 'user', content }], ...more })
const askResponses = (input: unknown, more: object = {}) =>
  post('/openai/responses', { input, ...more })
const sentMessages = () => conversation.upstream.requests.at(-1)!.json!['messages'] as unknown[]

describe('A refusal of the model', () => {
  test('is a refusal in the messages dialect', async () => {
    const answer = { content: [{ type: 'text', text: 'I will not.' }], stop_reason: 'refusal' }
    expect(await (await askMessages('refuse')).json()).toMatchObject(answer)
    expect(await (await askMessages('filter')).json()).toMatchObject({ stop_reason: 'refusal' })
    const streamed = await (await askMessages('refuse', { stream: true })).text()
    expect(streamed).toContain('"text":"I will not."')
    expect(streamed).toContain('"stop_reason":"refusal"')
    expect(await (await askMessages('filter', { stream: true })).text()).toContain(
      '"stop_reason":"refusal"',
    )
  })

  test('is a refusal in the responses dialect', async () => {
    const output = [{ type: 'message', content: [{ type: 'refusal', refusal: 'I will not.' }] }]
    expect(await (await askResponses('refuse')).json()).toMatchObject({ output })
    const streamed = await (await askResponses('refuse', { stream: true })).text()
    expect(streamed).toContain('event: response.refusal.delta')
    expect(streamed).toContain('"type":"response.refusal.done"')
    expect(streamed).toContain('"refusal":"I will not."')
    expect(await (await askResponses('filter')).json()).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
    })
  })
})

describe('A message that begins', () => {
  test('carries an estimate of what was read', async () => {
    const text = await (
      await askMessages('How many words are in this question, about?', { stream: true })
    ).text()
    const tokens = Number(/"usage":\{"input_tokens":(\d+)/.exec(text)?.[1])
    expect(tokens).toBeGreaterThan(5)
    expect(tokens).toBeLessThan(50)
  })
})

describe('For providers of chat completions', () => {
  const url = 'data:image/png;base64,AA=='

  test('pictures in results of tools follow them as a message of the user', async () => {
    const result = (id: string) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: [
        { type: 'text', text: 'Seen' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
      ],
    })
    const uses = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'look', input: {} }))
    await post('/api/v1/messages', {
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Look' },
        { role: 'assistant', content: uses },
        { role: 'user', content: [result('a'), result('b'), { type: 'text', text: 'Well?' }] },
      ],
    })
    const shown = (id: string) => [
      { type: 'text', text: `Shown by the tool call ${id}:` },
      { type: 'image_url', image_url: { url } },
    ]
    expect(sentMessages().slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'Seen' },
      { role: 'tool', tool_call_id: 'b', content: 'Seen' },
      { role: 'user', content: [...shown('a'), ...shown('b')] },
      { role: 'user', content: 'Well?' },
    ])
  })

  test('a developer is a system message, except where the model knows developers', async () => {
    await askResponses([
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ])
    expect(sentMessages()[0]).toEqual({ role: 'system', content: 'Be brief.' })
    await post('/api/chat/completions', { messages: [{ role: 'developer', content: 'Be brief.' }] })
    expect(sentMessages()[0]).toEqual({ role: 'system', content: 'Be brief.' })
  })
})
