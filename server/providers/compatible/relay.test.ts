import { once } from 'node:events'
import { request as openRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import type { Script } from '../../testing/fake-upstream/script.ts'
import { eventsOf, startRelay, toRelayedBody, type Relay } from '../../testing/start-relay.ts'

let gateway: Relay
const start = async (script?: Script) => (gateway = await startRelay(script))
afterEach(() => gateway.close())

async function post(
  port: number,
  path: string,
  body: string,
): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
  const request = openRequest({ host: '127.0.0.1', port, path, method: 'POST' })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: await text(response),
  }
}

const call = (content: string, stream: boolean) =>
  post(gateway.port, '/', toRelayedBody(content, stream))

const recorded =
  (steps: string): Script =>
  async () => ({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: steps })

const WHOLE =
  '{"choices":[{"index":0,"message":{"role":"assistant","content":"whole"},"finish_reason":"stop"}]}'
const piece = (index: number, finish: string | null = null) =>
  JSON.stringify({ choices: [{ index, delta: { content: 'x' }, finish_reason: finish }] })
const STREAMED =
  'data: {"choices":[{"index":0,"delta":{"content":"pieces"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

describe('the relay', () => {
  it('sends the request bytes as they are and the reply bytes as they come', async () => {
    await start()
    const streamed = await call('one two  three', true)
    expect(streamed.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(streamed.headers['cache-control']).toContain('no-cache')
    const body = toRelayedBody('one two  three', true)
    expect(gateway.fake.requests[0]?.text).toBe(body)
    expect(streamed.text).toBe((await post(gateway.fake.port, '/v1/chat/completions', body)).text)
    const whole = await call('whole', false)
    expect(JSON.parse(whole.text)).toMatchObject({ object: 'chat.completion' })
  })

  it.each([
    ['/error 401', 502],
    ['/error 404', 400],
    ['/busy 9', 429],
    ['/html 500', 502],
    ['/redirect', 502],
  ])('row R18: maps %s to %i with a sentence in the dialect', async (text, status) => {
    await start()
    for (const stream of [true, false]) {
      const reply = await call(text, stream)
      expect(reply.status).toBe(status)
      expect(JSON.parse(reply.text)).toMatchObject({
        detail: expect.any(String),
        error: { message: expect.any(String), code: expect.any(String) },
      })
      expect(reply.text).not.toMatch(/canary|10\.1\.2\.3|html/)
    }
  })

  it('row R15: a stream that is cut ends with an error event and the end mark', async () => {
    await start()
    const events = eventsOf((await call('/cut', true)).text)
    expect(events.at(-1)).toBe('[DONE]')
    expect(JSON.parse(events.at(-2) ?? '')).toMatchObject({
      error: { code: 'upstream_broken', type: 'server_error' },
    })
  })

  it('row R15: wherever a recorded stream is cut, what comes out is valid and ends as promised', async () => {
    const chunk = (content: string) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
    const stream = Buffer.from(
      `${chunk('Ett')}: comment\r\n\r\n${chunk(' två 🙂')}data: [DONE]\n\n`,
    )
    let cut = 0
    await start(async () => ({
      steps: [{ kind: 'raw', bytes: stream.subarray(0, cut) }, { kind: 'cut' }],
    }))
    for (cut = 0; cut <= stream.length; cut += 1) {
      const events = eventsOf((await call('x', true)).text)
      expect(events.at(-1)).toBe('[DONE]')
      expect(events.filter((event) => event === '[DONE]')).toHaveLength(1)
    }
  })

  it('row R16: ends once, whatever follows the end mark', async () => {
    await start(
      recorded(
        'data: {"choices":[]}\n\ndata: [DONE]\n\ndata: [DONE]\n\ndata: {"choices":[],"late":1}\n\n',
      ),
    )
    expect((await call('x', true)).text).toBe('data: {"choices":[]}\n\ndata: [DONE]\n\n')
  })

  it('row R16: leaves out noise and adds a missing end mark to an answer that told why it ended', async () => {
    const last = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
    await start(
      recorded(
        `\uFEFFdata: {"choices":[]}\n\ndata: ping\n\ngarbage\n\ndata: 17\n\ndata: ${last}\n\ndata: {"usage":`,
      ),
    )
    expect(eventsOf((await call('x', true)).text)).toEqual(['{"choices":[]}', last, '[DONE]'])
  })

  it.each([
    '{"cut": ',
    '{"choices":[{"index":0,"delta":{"content":"a"b"}}]}',
    '[1,2]',
    '{choices:[]}',
    '{"choices":"no"}',
    '{"choices":[null]}',
  ])('breaks off at %s, which cannot be read, although everything behind it can', async (data) => {
    await start(recorded(`data: {"choices":[]}\n\ndata: ${data}\n\n${STREAMED}`))
    const events = eventsOf((await call('x', true)).text)
    expect(events[0]).toBe('{"choices":[]}')
    expect(JSON.parse(events[1]!)).toMatchObject({
      error: { code: 'upstream_incomplete', type: 'server_error' },
    })
    expect(events.slice(2)).toEqual(['[DONE]'])
    const whole = await call('x', false)
    expect(whole.status).toBe(502)
    expect(JSON.parse(whole.text)).toMatchObject({ error: { code: 'upstream_incomplete' } })
  })

  it.each([
    ['named as one', 'event: error\ndata: {"message":"No credit."}\n\n'],
    ['named as one, in plain words', 'event: error\ndata: No credit.\n\n'],
    ['in a list', 'data: [{"error":{"message":"No credit."}}]\n\n'],
    [
      'beside its choices',
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"error"}],"error":{"message":"No credit."}}\n\n',
    ],
  ])('ends with the error of the upstream that came %s', async (_, body) => {
    await start(recorded(`data: {"choices":[]}\n\n${body}`))
    const events = eventsOf((await call('x', true)).text)
    expect(JSON.parse(events[1]!)).toMatchObject({ error: { message: 'No credit.' } })
    expect(events.slice(2)).toEqual(['[DONE]'])
  })

  it('tells an answer that ends with an error as its reason', async () => {
    await start(
      recorded(
        'data: {"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}\n\ndata: [DONE]\n\n',
      ),
    )
    const [event] = eventsOf((await call('x', true)).text)
    expect(JSON.parse(event!)).toMatchObject({
      choices: [{ finish_reason: 'error' }],
      error: { code: 'upstream_failed' },
    })
  })

  it.each([
    ['a number', '{"choices":[{"index":0,"delta":{"content":7}}]}', '7'],
    ['a choice without a delta', '{"choices":[{"index":0,"message":{"content":"text"}}]}'],
    [
      'content in parts',
      '{"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"text"}]}}]}',
    ],
    [
      'content as an object',
      '{"choices":[{"index":0,"delta":{"content":{"type":"text","text":"text"}}}]}',
    ],
  ])('writes %s as SDKs read it', async (_, data, content = 'text') => {
    await start(recorded(`data: ${data}\n\ndata: [DONE]\n\n`))
    const [event] = eventsOf((await call('x', true)).text)
    expect(JSON.parse(event!)).toMatchObject({ choices: [{ index: 0, delta: { content } }] })
  })

  it.each([
    ['nothing at all', ''],
    [
      'a chunk without a finish reason',
      'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}\n\n',
    ],
    ['half an event', 'data: {"choices":[]}\n\ndata: {"choices":[{"index":0,"del'],
    [
      'one of two answers',
      `data: ${piece(0)}\n\ndata: ${piece(1)}\n\ndata: ${piece(0, 'stop')}\n\n`,
    ],
    [
      'a second answer that begins late',
      `data: ${piece(0, 'stop')}\n\ndata: ${piece(1)}\n\ndata: ${piece(1)}\n\n`,
    ],
  ])('says that an answer is incomplete that ends properly behind %s', async (_, body) => {
    await start(recorded(body))
    const events = eventsOf((await call('x', true)).text)
    expect(JSON.parse(events.at(-2)!)).toMatchObject({ error: { code: 'upstream_incomplete' } })
    expect(events.at(-1)).toBe('[DONE]')
  })

  it.each([
    ['spaces around the JSON', 'data:   {"choices":[],"a":"text"}  \n\ndata:  [DONE] \n\n'],
    [
      'JSON over several lines',
      'data: {"choices":\ndata: [],\ndata: "a": {}\ndata: ,"b":"text"}\n\ndata: [DONE]\n\n',
    ],
    [
      'two objects in one event',
      'data: {"choices":[]}{"choices":[],"a":"text, {"}\n\ndata: [DONE]\n\n',
    ],
    [
      'numbers that JSON does not have',
      'data: {"choices":[],"a":"text","b":NaN,"c":[-Infinity]}\n\ndata: [DONE]\n\n',
    ],
    ['a list of objects', 'data: [{"choices":[]},{"choices":[],"a":"text"}]\n\ndata: [DONE]\n\n'],
    ['a comma behind the last field', 'data: {"choices":[],"a":"text",}\n\ndata: [DONE]\n\n'],
    [
      'CR and CRLF',
      'data: {"choices":[]}\r\rdata: {"choices":[],"a":"text"}\r\n\r\ndata: [DONE]\r\n\r\n',
    ],
    [
      'no blank line behind an event',
      'data: {"choices":[]}\ndata: {"choices":[],"a":"text"}\ndata: [DONE]\n',
    ],
  ])('writes %s as SDKs read it', async (_, body) => {
    await start(recorded(body))
    const { text } = await call('x', true)
    expect(eventsOf(text).join()).toContain('text')
    expect(eventsOf(text).at(-1)).toBe('[DONE]')
    expect(text).not.toMatch(/[\r]|,}|}{|NaN|Infinity|error/)
  })

  it('replaces half a code point', async () => {
    const half = Buffer.from(
      Buffer.from('data: {"choices":[],"a":"å"}\n\ndata: [DONE]\n\n').filter(
        (byte) => byte !== 0xa5,
      ),
    )
    await start(async () => ({ steps: [{ kind: 'raw', bytes: half }] }))
    expect((await call('x', true)).text).toContain('"a":"\uFFFD"')
  })

  it.each([
    ['no JSON', 'Hello', 'upstream_not_an_api'],
    ['JSON that is cut off', '{"choices":[{"index":0,', 'upstream_incomplete'],
    ['long JSON that is cut off', `{"choices":["${'x'.repeat(3_000_000)}`, 'upstream_incomplete'],
    ['an error', '{"error":{"message":"No credit.","code":402}}', 'upstream_refused'],
    ['an empty object', '{}', 'upstream_incomplete'],
    ['an object without choices', '{"choices":[]}', 'upstream_incomplete'],
    ['an object with choices that are none', '{"choices":[null]}', 'upstream_incomplete'],
  ])('answers a whole answer that is %s with a status and a sentence', async (_, body, code) => {
    await start(async () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body,
    }))
    for (const stream of [true, false]) {
      const reply = await call('x', stream)
      expect(reply.status).toBeGreaterThanOrEqual(400)
      expect(JSON.parse(reply.text)).toMatchObject({
        error: { code, message: expect.any(String) as string },
      })
    }
  })

  const TYPES = [
    'application/json',
    'text/event-stream',
    'text/event-stream; charset=utf-8',
    'text/plain',
  ]
  const typed =
    (type: string, body: string): Script =>
    async () => ({ status: 200, headers: { 'content-type': type }, body })

  it('writes numbers that JSON does not have as null in a whole answer', async () => {
    const body = WHOLE.replace('"index":0', '"index":0,"score":NaN')
    await start(async () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body,
    }))
    expect(JSON.parse((await call('x', false)).text)).toMatchObject({
      choices: [{ score: null, message: { content: 'whole' } }],
    })
  })

  describe.each(TYPES)('under the type %s', (type) => {
    it.each([
      ['as it is', WHOLE],
      ['behind blank lines', `\n\n  ${WHOLE}\n`],
      ['behind a byte order mark', `\uFEFF${WHOLE}`],
      ['over several lines', JSON.stringify(JSON.parse(WHOLE), null, 2)],
    ])('makes a stream of a whole answer %s', async (_, body) => {
      await start(typed(type, body))
      const reply = await call('x', true)
      expect(reply.headers['content-type']).toBe('text/event-stream; charset=utf-8')
      const events = eventsOf(reply.text)
      expect(events).toHaveLength(2)
      expect(JSON.parse(events[0]!)).toMatchObject({
        choices: [{ delta: { content: 'whole' }, finish_reason: 'stop' }],
      })
      expect(events[1]).toBe('[DONE]')
    })

    it('passes a stream, and makes a whole answer of it', async () => {
      await start(typed(type, STREAMED))
      expect((await call('x', true)).text).toBe(STREAMED)
      const whole = await call('x', false)
      expect(JSON.parse(whole.text)).toMatchObject({
        object: 'chat.completion',
        choices: [{ message: { content: 'pieces' } }],
      })
    })

    it('tells an error that came instead of an answer', async () => {
      await start(typed(type, '{"error":{"message":"No credit.","code":402}}'))
      for (const stream of [true, false]) {
        const reply = await call('x', stream)
        expect(reply.status).toBe(400)
        expect(JSON.parse(reply.text)).toMatchObject({
          error: { message: 'No credit.', code: 'upstream_refused' },
        })
      }
    })
  })

  it('reads streams whose lines end with CR alone', async () => {
    await start(recorded('data: {"choices":[]}\r\rdata: [DONE]\r\r'))
    expect(eventsOf((await call('x', true)).text)).toEqual(['{"choices":[]}', '[DONE]'])
  })

  it('row R17: a line that never ends breaks off with an error instead of filling the memory', async () => {
    const part = Buffer.alloc(1024 * 1024, 'x')
    await start(async () => ({
      steps: Array.from({ length: 16 }, () => ({ kind: 'raw', bytes: part })),
    }))
    const events = eventsOf((await call('x', true)).text)
    expect(JSON.parse(events.at(-2) ?? '')).toMatchObject({ error: { code: 'upstream_too_large' } })
  })
})
