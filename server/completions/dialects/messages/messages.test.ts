import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readMessageEvents, type StreamEvent } from '../../../testing/read-message-events.ts'
import { startConversation, type Conversation } from '../../../testing/start-conversation.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation()
})
afterAll(() => conversation.close())

const post = (body: unknown, path = '/api/v1/messages', headers: Record<string, string> = {}) =>
  conversation.server.call('POST', path, { token: conversation.token, body, headers })

const ask = (content: unknown, more: Record<string, unknown> = {}) => ({
  model: 'echo',
  max_tokens: 100,
  messages: [{ role: 'user', content }],
  ...more,
})

const typesOf = (events: readonly StreamEvent[]) =>
  events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])
const upstreamBody = () => conversation.upstream.requests.at(-1)!.json!

describe('The messages endpoint', () => {
  test.each([
    '/api/v1/messages',
    '/api/message',
    '/api/v1/messages/',
    '/api/v1/messages?beta=true',
    '/llmhost/v1/messages',
    '/ollama/v1/messages',
  ])('answers at %s', async (path) => {
    const response = await post(ask('two words'), path)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      role: 'assistant',
      model: 'echo',
      content: [{ type: 'text', text: 'two words' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 7 },
    })
  })

  test('streams text in the order of the messages API, with the token counts at the end', async () => {
    const events = await readMessageEvents(
      await post(ask('Ett svar\npå svenska 🙂', { stream: true })),
    )
    expect(typesOf(events)).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(events.map(({ delta }) => delta?.text ?? '').join('')).toBe('Ett svar\npå svenska 🙂')
    expect(events.find(({ type }) => type === 'message_delta')).toMatchObject({
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: 11, output_tokens: 7 },
    })
  })

  test('a silent line is told every 15 seconds that the answer goes on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const left = new AbortController()
    const { server, token } = conversation
    let text = ''
    const pings = () => text.match(/event: ping/g)?.length ?? 0
    const arrived = async (count: number) => {
      for (let turn = 0; turn < 5000 && pings() < count; turn += 1) await nextTurn()
      return pings()
    }
    try {
      const reply = await fetch(`${server.url}/api/v1/messages`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(ask('/silent', { stream: true })),
        signal: left.signal,
      })
      const reading = (async () => {
        for await (const bytes of reply.body!) text += Buffer.from(bytes).toString()
      })().catch(() => undefined)
      expect(await arrived(1)).toBe(1)
      vi.advanceTimersByTime(14_900)
      for (let turn = 0; turn < 50; turn += 1) await nextTurn()
      expect(pings()).toBe(1)
      for (const count of [2, 3]) {
        vi.advanceTimersByTime(15_000)
        expect(await arrived(count)).toBe(count)
      }
      expect(text.match(/event: message_start/g)).toHaveLength(1)
      left.abort()
      await reading
    } finally {
      left.abort()
      vi.useRealTimers()
    }
  })

  test('turns tool calls into tool_use blocks in both modes', async () => {
    const tools = [
      {
        name: 'get_weather',
        description: 'Weather',
        input_schema: { type: 'object', properties: {} },
      },
    ]
    const whole = await post(ask('/tools', { tools }))
    expect(await whole.json()).toMatchObject({
      content: [
        { type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Örebro', days: 2 } },
      ],
      stop_reason: 'tool_use',
    })
    const events = await readMessageEvents(await post(ask('/tools', { tools, stream: true })))
    expect(events.find(({ content_block: block }) => block)).toMatchObject({
      index: 0,
      content_block: { type: 'tool_use', id: 'call_1', name: 'get_weather', input: {} },
    })
    const json = events.map(({ delta }) => delta?.partial_json ?? '').join('')
    expect(JSON.parse(json)).toEqual({ city: 'Örebro', days: 2 })
    expect(events.at(-2)?.delta?.stop_reason).toBe('tool_use')
  })

  test('shows reasoning as a thinking block to those who asked for thinking, and to nobody else', async () => {
    const thinking = { type: 'enabled', budget_tokens: 2048 }
    const shown = await readMessageEvents(await post(ask('/reasoning', { stream: true, thinking })))
    const blocks = shown.flatMap(({ type, index, content_block: block }) =>
      type === 'content_block_start' ? [[index, block?.['type']]] : [],
    )
    expect(blocks).toEqual([
      [0, 'thinking'],
      [1, 'text'],
    ])
    expect(shown.map(({ delta }) => delta?.thinking ?? '').join('')).toBe(
      'First I look at the question.',
    )
    expect(await (await post(ask('/reasoning', { thinking }))).json()).toMatchObject({
      content: [{ type: 'thinking' }, { type: 'text' }],
    })
    expect(await (await post(ask('/reasoning'))).json()).toMatchObject({
      content: [{ type: 'text', text: 'Then I answer it.' }],
    })
  })

  test('sends the conversation to the model in its own form', async () => {
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't1', name: 'get_weather', input: { city: 'Kiruna' } }],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't1',
            is_error: true,
            content: [{ type: 'text', text: 'No data' }],
          },
        ],
      },
    ]
    const system = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }]
    await post({
      model: 'echo',
      max_tokens: 9,
      messages,
      system,
      stop_sequences: ['X'],
      top_k: 3,
      metadata: { user_id: 'u' },
    })
    expect(upstreamBody()).toEqual({
      model: 'echo',
      max_tokens: 9,
      stop: ['X'],
      stream: false,
      top_k: 3,
      user: 'u',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 't1',
              type: 'function',
              function: { name: 'get_weather', arguments: '{"city":"Kiruna"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 't1', content: 'Error: No data' },
      ],
    })
  })

  test('does not send tools when the choice is none', async () => {
    const tools = [{ name: 'get_weather', input_schema: { type: 'object' } }]
    await post(ask('Hello', { tools, tool_choice: { type: 'none' } }))
    expect(upstreamBody()).not.toHaveProperty('tools')
    expect(upstreamBody()).not.toHaveProperty('tool_choice')
  })

  test('takes images as data and as addresses', async () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
    const content = [
      { type: 'text', text: '/image' },
      { type: 'image', source },
    ]
    expect(await (await post(ask(content))).json()).toMatchObject({
      content: [{ text: 'Image: data:image/png;base64,iVBORw0KGgo=' }],
    })
    await post(ask([{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }]))
    expect(JSON.stringify(upstreamBody())).toContain(
      '"image_url":{"url":"https://example.com/a.png"}',
    )
  })

  test.each([
    [ask('x', { model: 'no-such-model' }), 400, 'invalid_request_error'],
    [ask('/error 413'), 413, 'request_too_large'],
    [ask('/busy 9'), 429, 'rate_limit_error'],
    [ask('/error 500'), 502, 'api_error'],
    [{ model: 'echo' }, 422, 'invalid_request_error'],
    [
      ask([{ type: 'image', source: { type: 'file', file_id: 'f' } }]),
      400,
      'invalid_request_error',
    ],
    [{ ...ask('x'), messages: [{ role: 'robot', content: 'x' }] }, 400, 'invalid_request_error'],
  ])('tells errors in both shapes (%#)', async (body, status, type) => {
    for (const stream of [false, true]) {
      const response = await post({ ...body, stream })
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({
        detail: expect.anything(),
        type: 'error',
        error: { type, message: expect.any(String) },
      })
      expect(response.headers.get('retry-after')).toBe(status === 429 ? '9' : null)
    }
  })

  test.each(['/failing', '/cut'])(
    'row R15: %s in mid-stream keeps the text and ends with an error event',
    async (text) => {
      const events = await readMessageEvents(await post(ask(text, { stream: true })))
      expect(events.map(({ delta }) => delta?.text ?? '').join('')).toBe('Partial text before')
      expect(events.at(-1)).toMatchObject({
        type: 'error',
        error: { type: 'api_error', message: expect.any(String) },
      })
      expect(events.filter(({ type }) => type === 'message_stop')).toEqual([])
    },
  )

  test('row R22: a caller who leaves cancels the upstream', async () => {
    const aborts = conversation.upstream.aborts()
    const leaving = new AbortController()
    const response = await fetch(`${conversation.server.url}/api/v1/messages`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'x-api-key': conversation.token },
      body: JSON.stringify(ask('/slow', { stream: true })),
      signal: leaving.signal,
    })
    await response.body!.getReader().read()
    leaving.abort()
    await expect.poll(() => conversation.upstream.aborts()).toBe(aborts + 1)
  })

  test('answers input that is nested too deeply with 413', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const block = `{"type":"tool_use","id":"t","name":"n","input":${deep}}`
    const body = `{"model":"echo","max_tokens":9,"messages":[{"role":"assistant","content":[${block}]}]}`
    const response = await post(body)
    expect(response.status).toBe(413)
  })

  test('takes prototype names as data', async () => {
    const body = JSON.stringify(ask('Hello')).replace('{', '{"__proto__":{"stream":true},')
    expect(await (await post(body)).json()).toMatchObject({ content: [{ text: 'Hello' }] })
  })

  test('estimates how many tokens a conversation has', async () => {
    for (const path of [
      '/api/v1/messages/count_tokens',
      '/api/message/count_tokens',
      '/ollama/v1/messages/count_tokens',
    ]) {
      const response = await post(
        { model: 'echo', messages: [{ role: 'user', content: 'x'.repeat(400) }], system: 'Brief.' },
        path,
      )
      expect(await response.json()).toEqual({ input_tokens: 106 })
    }
    expect(
      (await post({ model: 'nobody', messages: [] }, '/api/v1/messages/count_tokens')).status,
    ).toBe(400)
  })
})
