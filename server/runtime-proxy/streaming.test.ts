import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Step } from '../testing/fake-upstream/script.ts'
import { startProxies, type Proxies } from '../testing/start-proxies.ts'

let proxies: Proxies
afterEach(() => proxies.close())

const start = async (steps: readonly Step[]) =>
  (proxies = await startProxies({
    runtimes: [{ models: ['llama:8b'], script: async () => ({ steps }) }],
  }))

const generate = (signal?: AbortSignal) =>
  fetch(`${proxies.server.url}/llmhost/api/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${proxies.admin}` },
    body: JSON.stringify({ model: 'llama:8b', prompt: 'Hello' }),
    signal,
  })

describe('a whole native answer', () => {
  it.each([
    ['a page', '<html></html>', 'upstream_not_an_api'],
    ['nothing', '', 'upstream_not_an_api'],
    ['a document that was cut off', '{"response":"He', 'upstream_incomplete'],
    ['the first of several pieces', '{"response":"He","done":false}', 'upstream_incomplete'],
    [
      'a stream',
      '{"response":"He","done":false}\n{"response":"llo","done":true}\n',
      'upstream_incomplete',
    ],
    ['an empty object', '{}', 'upstream_incomplete'],
    ['a list', '[]', 'upstream_incomplete'],
    [
      'a long document that is no JSON',
      `{"response":"${'x'.repeat(2_500_000)}","done":true,,}`,
      'upstream_incomplete',
    ],
    ['an error', '{"error":"The connection to this answer broke."}', 'upstream_failed'],
  ])('that is %s is refused', async (_, body, code) => {
    let type = ''
    const script = async () => ({ status: 200, headers: { 'content-type': type }, body })
    proxies = await startProxies({ runtimes: [{ models: ['llama:8b'], script }] })
    for (const [path, given] of [
      ['generate', 'application/json'],
      ['chat', 'application/x-ndjson'],
    ] as const) {
      type = given
      const reply = await proxies.post<{ detail: string; error: string }>(`/llmhost/api/${path}`, {
        model: 'llama:8b',
        stream: false,
      })
      expect(reply.status).toBe(502)
      expect(reply.body).toMatchObject({ detail: expect.stringContaining('connection') as string })
      expect(JSON.stringify(reply.body)).toContain(
        code === 'upstream_not_an_api' ? 'not its API' : 'answer',
      )
    }
  })
})

describe('a native stream', () => {
  it('comes byte for byte through 1,000 pieces cut anywhere', async () => {
    const pieces = Array.from({ length: 1000 }, (_, place) =>
      Buffer.from(`{"response":"wörd ${place}","done":false}\n`),
    )
    const bytes = Buffer.concat(pieces)
    const steps: Step[] = []
    for (let at = 0; at < bytes.length; at += 37)
      steps.push({ kind: 'raw', bytes: bytes.subarray(at, at + 37) })
    await start(steps)
    const reply = await generate()
    expect(reply.headers.get('content-type')).toBe('application/x-ndjson')
    const received = Buffer.from(await reply.arrayBuffer())
    expect(received.subarray(0, bytes.length).equals(bytes)).toBe(true)
    expect(JSON.parse(received.subarray(bytes.length).toString())).toMatchObject({ done: true })
  })

  it('reaches its reader piece by piece', async () => {
    await start([{ kind: 'content', text: 'first' }, { kind: 'stall' }])
    const abort = new AbortController()
    const reply = await generate(abort.signal)
    const { value } = await reply.body!.getReader().read()
    expect(Buffer.from(value!).toString()).toContain('first')
    abort.abort()
    await expect.poll(() => proxies.runtimes[0]!.aborts()).toBe(1)
    await expect.poll(() => proxies.runtimes[0]!.openStreams()).toBe(0)
  })

  it('that breaks off ends with a line that says so', async () => {
    await start([
      { kind: 'content', text: 'Partial' },
      { kind: 'raw', bytes: '{"cut' },
      { kind: 'cut' },
    ])
    const lines = (await (await generate()).text()).trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[1]!)).toEqual({
      error: expect.stringContaining('was interrupted') as string,
    })
  })

  it.each([
    'application/json',
    'text/plain; charset=utf-8',
    'APPLICATION/X-NDJSON',
    'application/octet-stream',
  ])(
    'that is sent as %s and ends before it is done says so, as does anything else in its place',
    async (type) => {
      let body = ''
      const script = async () => ({ status: 200, headers: { 'content-type': type }, body })
      proxies = await startProxies({ runtimes: [{ models: ['llama:8b'], script }] })
      const whole = { response: 'Hello', done: true }
      const bodies = [
        '{"response":"He","done":false}\n',
        JSON.stringify(whole).slice(0, -4),
        JSON.stringify(whole, null, 2),
        '{}',
        '[]',
        'null',
        '',
      ]
      for (body of bodies) {
        const lines = (await (await generate()).text()).trimEnd().split('\n')
        expect(JSON.parse(lines.at(-1)!), body).toEqual({
          error: expect.stringContaining('answer') as string,
        })
      }
      body = JSON.stringify(whole)
      const reply = await generate()
      expect(reply.headers.get('content-type')).toBe('application/x-ndjson')
      expect(await reply.text()).toBe(`${body}\n`)
    },
  )

  it('whose head names its type twice is read by the first, and one with no body is no answer', async () => {
    const type = ['application/x-ndjson', 'application/x-ndjson'] as unknown as string
    let status = 200
    const script = async () => ({
      status,
      headers: { 'content-type': type },
      body: status === 200 ? '{"response":"Hello","done":true}\n' : '',
    })
    proxies = await startProxies({ runtimes: [{ models: ['llama:8b'], script }] })
    expect(await (await generate()).text()).toBe('{"response":"Hello","done":true}\n')
    status = 204
    expect(await (await generate()).text()).toContain('"error"')
  })

  it.each([
    ['two objects in one line', '{"response":"a","done":false}{"response":"b","done":false}\n'],
    ['a list', '[{"response":"a","done":false},{"response":"b","done":false}]\n'],
    [
      'a number that JSON does not have',
      '{"response":"a","score":NaN,"done":false}\n{"response":"b","done":false}\n',
    ],
  ])('has %s written as SDKs read it', async (_, bytes) => {
    await start([{ kind: 'raw', bytes }])
    const lines = (await (await generate()).text()).trimEnd().split('\n')
    expect(
      lines.map((line) => (JSON.parse(line) as { response: string; done: boolean }).response),
    ).toEqual(['a', 'b', ''])
  })

  it('ends at a line that cannot be read, and says so', async () => {
    await start([
      { kind: 'content', text: 'Partial' },
      { kind: 'raw', bytes: '{"response":"a"b"}\n' },
      { kind: 'content', text: 'lost' },
    ])
    const lines = (await (await generate()).text()).trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[1]!)).toEqual({
      error: expect.stringContaining('cannot be read') as string,
    })
  })

  it('row R24: waits for a slow reader instead of filling the memory', async () => {
    const piece = Buffer.from(`${JSON.stringify({ response: 'x'.repeat(64 * 1024) })}\n`)
    await start(Array.from({ length: 640 }, () => ({ kind: 'raw' as const, bytes: piece })))
    const [runtime] = proxies.runtimes
    const body = JSON.stringify({ model: 'llama:8b', prompt: 'Hello' })
    const { port } = new URL(proxies.server.url)
    const head = `POST /llmhost/api/generate HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${proxies.admin}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(head + body))
    let received = 0
    socket.on('data', (bytes) => (received += bytes.length))
    await expect.poll(() => received).toBeGreaterThan(0)
    socket.pause()
    let before = -1
    await expect
      .poll(
        () => {
          const now = runtime!.bytesWritten()
          const isStill = now === before
          before = now
          return isStill
        },
        { interval: 300, timeout: 10_000 },
      )
      .toBe(true)
    expect(before).toBeLessThan(32 * 1024 * 1024)
    socket.resume()
    await expect.poll(() => received >= 640 * piece.length, { timeout: 15_000 }).toBe(true)
    socket.destroy()
  })
})
