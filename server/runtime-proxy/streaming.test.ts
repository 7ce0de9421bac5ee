import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Step } from '../testing/fake-upstream/script.ts'
import { startProxies, type Proxies } from '../testing/start-proxies.ts'

let proxies: Proxies
afterEach(() => proxies.close())

const start = async (steps: readonly Step[]) =>
  (proxies = await startProxies({ runtimes: [{ models: ['llama:8b'], script: () => ({ steps }) }] }))

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
  ])('that is %s is refused', async (_, body, code) => {
    const script = () => ({ status: 200, headers: { 'content-type': 'application/json' }, body })
    proxies = await startProxies({ runtimes: [{ models: ['llama:8b'], script }] })
    for (const path of ['generate', 'chat']) {
      const reply = await proxies.post<{ detail: string; error: string }>(`/llmhost/api/${path}`, { model: 'llama:8b', stream: false })
      expect(reply.status).toBe(502)
      expect(reply.body).toMatchObject({ detail: expect.stringContaining('connection') as string })
      expect(JSON.stringify(reply.body)).toContain(code === 'upstream_incomplete' ? 'answer' : 'not its API')
    }
  })
})

describe('a native stream', () => {
  it('comes byte for byte through 1,000 pieces cut anywhere', async () => {
    const pieces = Array.from({ length: 1000 }, (_, place) => Buffer.from(`{"response":"wörd ${place}","done":false}\n`))
    const bytes = Buffer.concat(pieces)
    const steps: Step[] = []
    for (let at = 0; at < bytes.length; at += 37) steps.push({ kind: 'raw', bytes: bytes.subarray(at, at + 37) })
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
    await start([{ kind: 'content', text: 'Partial' }, { kind: 'raw', bytes: '{"cut' }, { kind: 'cut' }])
    const lines = (await (await generate()).text()).trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[1]!)).toEqual({ error: expect.stringContaining('broke off') as string })
  })

  it.each([
    ['two objects in one line', '{"response":"a","done":false}{"response":"b","done":false}\n'],
    ['a list', '[{"response":"a","done":false},{"response":"b","done":false}]\n'],
    ['a number that JSON does not have', '{"response":"a","score":NaN,"done":false}\n{"response":"b","done":false}\n'],
  ])('has %s written as SDKs read it', async (_, bytes) => {
    await start([{ kind: 'raw', bytes }])
    const lines = (await (await generate()).text()).trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { response: string; done: boolean }).response)).toEqual(['a', 'b', ''])
  })

  it('ends at a line that cannot be read, and says so', async () => {
    await start([
      { kind: 'content', text: 'Partial' },
      { kind: 'raw', bytes: '{"response":"a"b"}\n' },
      { kind: 'content', text: 'lost' },
    ])
    const lines = (await (await generate()).text()).trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[1]!)).toEqual({ error: expect.stringContaining('no valid JSON') as string })
  })

  it('row R24: waits for a slow reader instead of filling the memory', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x')
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
