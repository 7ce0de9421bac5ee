import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConversation, type Conversation } from '../../testing/start-conversation.ts'

let conversation: Conversation
beforeAll(async () => {
  conversation = await startConversation()
})
afterAll(() => conversation.close())

const ask = (content: string, more: Record<string, unknown> = {}) => ({
  model: 'text',
  messages: [{ role: 'user', content }],
  ...more,
})
const lastRequest = () => conversation.upstream.requests.at(-1)!

/** Returns the parsed frames of a stream, including `[DONE]` as text. */
async function readFrames(response: Response): Promise<unknown[]> {
  const text = await response.text()
  return text
    .split('\n\n')
    .map((frame) => frame.trimStart())
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) =>
      frame === 'data: [DONE]' ? '[DONE]' : (JSON.parse(frame.slice('data: '.length)) as unknown),
    )
}

describe('POST /api/chat/completions without a chat', () => {
  test('answers with the JSON of the provider, and the request goes up byte for byte', async () => {
    const body = JSON.stringify(
      { ...ask('Hello'), temperature: 0.5, unknown_field: [1, { a: null }] },
      null,
      2,
    )
    const response = await conversation.complete(body)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant' } }],
      usage: { total_tokens: 18 },
    })
    expect(lastRequest().text).toBe(body)
  })

  test('streams the chunks of the provider as data lines and ends with [DONE]', async () => {
    const response = await conversation.complete(ask('Hello', { stream: true }))
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const frames = await readFrames(response)
    expect(frames.at(-1)).toBe('[DONE]')
    expect(frames.filter((frame) => frame === '[DONE]')).toHaveLength(1)
    expect(frames[0]).toMatchObject({ object: 'chat.completion.chunk' })
  })

  test('answers under its alias alike', async () => {
    const response = await conversation.server.call('POST', '/api/v1/chat/completions', {
      token: conversation.token,
      body: ask('Hello'),
    })
    expect(await response.json()).toMatchObject({ object: 'chat.completion' })
  })

  test("row 10: the caller's credentials and cookies never reach the provider", async () => {
    await conversation.complete(ask('Hello'), {
      headers: { Cookie: 'token=secret', 'X-Api-Key': 'sk-mine', 'X-Session-Key': 'half of one' },
    })
    const { headers } = lastRequest()
    expect(headers.authorization).toBe('Bearer sk-upstream-key-000000')
    expect(headers).not.toHaveProperty('cookie')
    expect(headers).not.toHaveProperty('x-api-key')
    expect(headers).not.toHaveProperty('x-session-key')
  })

  test('rows 12 and 13: fields of the gateway and fields that name another target are left out', async () => {
    const foreign = {
      api_base: 'http://127.0.0.1:1',
      base_url: 'http://127.0.0.1:1',
      headers: { a: 'b' },
      proxy: 'x',
      api_key: 'sk-x',
    }
    await conversation.complete(
      ask('Hello', {
        ...foreign,
        session_id: 's',
        features: { memory: true },
        background_tasks: {},
        top_p: 0.1,
      }),
    )
    expect(lastRequest().json).toEqual({ ...ask('Hello'), top_p: 0.1 })
  })

  test('variables and params are applied on the way', async () => {
    const params = { system: 'Speak {{USER_LANGUAGE}}.', temperature: 0.1 }
    await conversation.complete(
      ask('I am {{USER_NAME}}.', {
        params,
        variables: { '{{USER_NAME}}': 'Bo', '{{USER_LANGUAGE}}': 'Danish' },
      }),
    )
    expect(lastRequest().json).toEqual({
      model: 'text',
      temperature: 0.1,
      messages: [
        { role: 'system', content: 'Speak Danish.' },
        { role: 'user', content: 'I am Bo.' },
      ],
    })
  })

  test("the caller's own tools are handed through and tool calls come back unexecuted", async () => {
    const tools = [
      { type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } },
    ]
    const response = await conversation.complete(ask('/tools', { tools, tool_ids: ['weather'] }))
    expect(lastRequest().json).toMatchObject({ tools })
    expect(lastRequest().json).not.toHaveProperty('tool_ids')
    const answer = (await response.json()) as { choices: { message: { tool_calls: unknown[] } }[] }
    expect(answer.choices[0]!.message.tool_calls).toHaveLength(1)
  })

  test('chat_id with session_id but without id is confirmed, and nothing runs', async () => {
    const chat = await conversation.createChat('Hello')
    const before = await conversation.readChat(chat.chat_id)
    const asked = conversation.upstream.requests.length
    const socket = await conversation.openSocket()
    for (const session_id of ['any', socket.sessionId])
      for (const stream of [true, false]) {
        const { chat_id } = chat
        const reply = await conversation.complete(ask('Hello', { chat_id, session_id, stream }))
        expect(reply.status).toBe(200)
        expect(await reply.json()).toEqual({ status: true, task_id: null, task_ids: [], chat_id })
      }
    expect(conversation.upstream.requests).toHaveLength(asked)
    expect(await conversation.readChat(chat.chat_id)).toEqual(before)
  })

  test('chat_id without id is answered stateless and leaves the chat untouched', async () => {
    const chat = await conversation.createChat('Hello')
    const before = await conversation.readChat(chat.chat_id)
    const response = await conversation.complete(
      ask('Hello', { chat_id: chat.chat_id, parent_message: {} }),
    )
    expect(response.status).toBe(200)
    expect(await conversation.readChat(chat.chat_id)).toEqual(before)
  })

  test.each([
    [{ chat_id: '', id: '', session_id: '' }],
    [{ id: '' }],
    [{ chat_id: null, id: null, session_id: null }],
  ])('%j names no chat and no message', async (ids) => {
    const response = await conversation.complete(ask('Hello', ids))
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ object: 'chat.completion' })
    for (const name of Object.keys(ids)) expect(lastRequest().json).not.toHaveProperty(name)
  })

  test('an empty id beside a new chat is replaced by one of the gateway', async () => {
    const response = await conversation.complete(
      ask('Hello', { id: '', parent_id: null, user_message: { role: 'user', content: 'Hello' } }),
    )
    const { chat_id } = (await response.json()) as { chat_id: string }
    const { messages, currentId } = (await conversation.readChat(chat_id)).chat.history
    expect(messages[currentId!]).toMatchObject({ role: 'assistant', done: true })
  })

  test('the built-in guide answers as JSON and as a stream', async () => {
    const whole = (await (
      await conversation.complete(ask('How do I connect a model?', { model: 'guide' }))
    ).json()) as {
      choices: { message: { content: string } }[]
    }
    expect(whole.choices[0]!.message.content).toContain('not an AI')
    const frames = await readFrames(
      await conversation.complete(ask('privacy', { model: 'guide', stream: true })),
    )
    expect(frames.at(-1)).toBe('[DONE]')
    expect(frames.length).toBeGreaterThan(3)
  })
})

describe('Bad input', () => {
  test('an unknown model and a model that is not shown get the same 400', async () => {
    const answers = await Promise.all(
      ['no-such-model', 'text ', '__proto__', 'constructor'].map((model) =>
        conversation.complete({ ...ask('x'), model }),
      ),
    )
    for (const answer of answers) {
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({
        detail: expect.stringContaining('Model not found') as string,
        error: { message: expect.stringContaining('Model not found') as string },
      })
    }
  })

  test.each([
    ['a cut document', 422, '{"model":'],
    ['an empty body', 422, ''],
    ['null', 422, 'null'],
    ['a list', 422, '[]'],
    ['an empty object', 422, '{}'],
    ['a body without messages', 422, JSON.stringify({ model: 'text' })],
    ['a model that is a number', 422, JSON.stringify({ model: 7, messages: [] })],
    ['messages that are text', 422, JSON.stringify({ model: 'text', messages: 'hello' })],
    ['a message that is null', 422, JSON.stringify({ model: 'text', messages: [null] })],
    ['stream that is text', 422, JSON.stringify(ask('x', { stream: 'yes' }))],
    ['a temperature that is text', 422, JSON.stringify(ask('x', { temperature: 'hot' }))],
    ...['code_interpreter', 'web_search', 'image_generation', 'memory'].map(
      (name): [string, number, string] => [
        `a feature ${name} that is text`,
        422,
        JSON.stringify(ask('x', { features: { [name]: 'yes' } })),
      ],
    ),
    ['chat_id that is a list', 422, JSON.stringify(ask('x', { chat_id: ['a'] }))],
    ['chat_id that is an object', 422, JSON.stringify(ask('x', { chat_id: { $ne: 1 }, id: 'a' }))],
    ['variables that are text', 422, JSON.stringify(ask('x', { variables: 'all' }))],
    ['a model id of 1 MB', 422, JSON.stringify(ask('x', { model: 'm'.repeat(1_000_000) }))],
  ])('%s answers %i with a sentence', async (_, status, body) => {
    const response = await conversation.complete(body)
    expect(response.status).toBe(status)
    const answer = (await response.json()) as { detail: unknown; error: { message: string } }
    expect(answer.detail).toBeTruthy()
    expect(answer.error.message).toBeTruthy()
  })

  test('another content type answers 415, no credential 401', async () => {
    expect(
      (await conversation.complete('model=text', { headers: { 'Content-Type': 'text/plain' } }))
        .status,
    ).toBe(415)
    expect((await conversation.complete(ask('x'), { token: 'sk-wrong' })).status).toBe(401)
  })

  test('row 102: a body nested 100,000 deep answers 413 before it is parsed, and is never a crash', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const body = (more: string) =>
      `{"model":"text","messages":[{"role":"user","content":"x"}],"deep":${deep}${more}}`
    for (const more of [
      ',"session_id":"s"',
      ',"variables":{}',
      ',"parent_id":null',
      ',"parent_id":null,"stream":true',
      ',"user_message":{"content":"x"},"parent_id":null',
    ]) {
      const response = await conversation.complete(body(more))
      expect(response.status).toBe(413)
      await response.text()
    }
    const question = await conversation.complete(
      `{"model":"text","messages":[],"parent_id":null,"user_message":{"content":"x","deep":${deep}}}`,
    )
    expect(question.status).toBe(413)
    const chats = (await (
      await conversation.server.call('GET', '/api/v1/chats/', { token: conversation.token })
    ).json()) as {
      title: string
    }[]
    expect(chats.map(({ title }) => title)).not.toContain('x only in the refused question')
  })

  test('prototype names are plain data at every place', async () => {
    const body =
      '{"model":"text","messages":[{"role":"user","content":"x","__proto__":{"a":1}}],"__proto__":{"stream":true},"constructor":1,"session_id":"s"}'
    const response = await conversation.complete(body)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(lastRequest().json).not.toHaveProperty('session_id')
  })
})

describe('Upstream faults', () => {
  test.each([
    ['error 400', 400],
    ['error 401', 502],
    ['error 403', 502],
    ['error 404', 400],
    ['error 413', 413],
    ['error 422', 400],
    ['html 502', 502],
    ['redirect', 502],
  ])(
    '/%s is answered with %i before the stream begins, in JSON and in SSE',
    async (scenario, status) => {
      for (const stream of [true, false]) {
        const response = await conversation.complete(ask(`/${scenario}`, { stream }))
        expect(response.status).toBe(status)
        const text = await response.text()
        expect(JSON.parse(text)).toMatchObject({
          detail: expect.any(String) as string,
          error: { message: expect.any(String) as string },
        })
        expect(text).not.toMatch(/<html|10\.1\.2\.3|sk-canary|sk-upstream|elsewhere/)
      }
    },
  )

  test('429 is passed on with Retry-After', async () => {
    const response = await conversation.complete(ask('/busy 120'))
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('120')
  })

  test('row R15: a stream cut in the middle keeps its text and ends with an error frame and [DONE]', async () => {
    const frames = await readFrames(await conversation.complete(ask('/cut', { stream: true })))
    expect(JSON.stringify(frames)).toContain('Partial')
    const sentence = expect.stringContaining('The connection') as string
    expect(frames.at(-2)).toMatchObject({
      error: { message: sentence, detail: sentence, type: 'server_error' },
    })
    expect(frames.at(-1)).toBe('[DONE]')
  })

  test('row 21: frames shaped like our events are only text of the stream', async () => {
    const socket = await conversation.openSocket()
    await (await conversation.complete(ask('/noisy', { stream: true }))).text()
    expect(socket.frames.filter(({ type }) => type === 'events')).toEqual([])
  })

  test('row R22: a caller who leaves cancels the upstream, 300 times at random points', async () => {
    const before = conversation.upstream.aborts()
    const leave = async () => {
      const controller = new AbortController()
      try {
        const response = await conversation.complete(ask('/slow 400', { stream: true }), {
          signal: controller.signal,
        })
        const reader = response.body!.getReader()
        for (let reads = Math.floor(Math.random() * 3); reads >= 0; reads -= 1) await reader.read()
      } finally {
        controller.abort()
      }
    }
    for (let round = 0; round < 6; round += 1) await Promise.all(Array.from({ length: 50 }, leave))
    await expect.poll(() => conversation.upstream.aborts() - before, { timeout: 5000 }).toBe(300)
    expect(conversation.upstream.openStreams()).toBe(0)
  })
})
