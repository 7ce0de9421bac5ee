import { request } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import { findFreePort } from '../testing/find-free-port.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let upstream: FakeUpstream
let server: TestServer
let admin: string
let address: string
const OFTEN = 50

beforeAll(async () => {
  upstream = await startFakeCompatible({ models: ['cloud'] })
  address = `127.0.0.1:${await findFreePort()}`
  server = await startTestServer({
    environment: {
      METRICS_ADDRESS: address,
      OPENAI_API_BASE_URLS: upstream.url,
      OPENAI_API_KEYS: 'provider-key-123',
    },
  })
  admin = await server.signUp('Ada')
  await (await server.call('GET', '/api/models', { token: admin })).text()
}, 60_000)
afterAll(async () => {
  await server.close()
  await upstream.close()
})

const read = async (): Promise<string> => (await fetch(`http://${address}/metrics`)).text()

/** Returns the values by name and labels, as written in the text. */
const values = (text: string): Map<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const place = line.lastIndexOf(' ')
        return [line.slice(0, place), Number(line.slice(place + 1))]
      }),
  )

const valueOf = async (name: string): Promise<number> => values(await read()).get(name) ?? 0

/** Sends a call with its target unchanged. */
const sendRaw = async (method: string, target: string): Promise<void> => {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `${method} ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`,
  )
  socket.resume()
  await once(socket, 'close')
}

describe('measurements', () => {
  it('are text Prometheus reads, with the gateway and its process', async () => {
    const reply = await fetch(`http://${address}/metrics`)
    expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await reply.text()
    expect(text.endsWith('\n')).toBe(true)
    for (const line of text.split('\n').filter((each) => each !== ''))
      expect(line).toMatch(
        /^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="(\\.|[^"\\])*",?)*\})? (-?\d+(\.\d+)?(e[+-]?\d+)?|NaN|\+Inf))$/,
      )
    const found = values(text)
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'chat_gateway_reading_queue',
      'chat_gateway_running_streams',
    ])
      expect(found.has(name), name).toBe(true)
    expect(found.get('chat_gateway_database_up')).toBe(1)
    for (const job of ['upkeep', 'backup', 'integrity_check', 'automations', 'snapshots'])
      expect(found.has(`chat_gateway_periodic_runs_total{job="${job}"}`)).toBe(true)
  })

  it('count completed runs of periodic work', async () => {
    const looked = 'chat_gateway_periodic_runs_total{job="automations"}'
    await expect.poll(() => valueOf(looked)).toBeGreaterThan(0)
    const before = await valueOf(looked)
    await server.context.automations.start()
    expect(await valueOf(looked)).toBe(before + 1)
  })

  it('count requests and their time by the template of the route', async () => {
    const labels = 'method="GET",route="/api/v1/chats/:chat_id"'
    const count = `chat_gateway_http_requests_total{${labels},status="404"}`
    const before = await valueOf(count)
    for (const id of ['one', 'two'])
      await server.call('GET', `/api/v1/chats/${id}`, { token: admin })
    expect(await valueOf(count)).toBe(before + 2)
    const text = await read()
    expect(values(text).get(`chat_gateway_http_request_duration_seconds_count{${labels}}`)).toBe(2)
    expect(text).not.toContain('/chats/one')
  })

  it('cannot be made more by whoever makes up addresses, methods, queries or names', async () => {
    await sendRaw('GET', '/made-up/0')
    await sendRaw('PROPFIND', '/made-up/0')
    await sendRaw('GET', '/api/v1/made-up/0')
    await sendRaw('GET', '/api/models?made-up=0')
    const before = values(await read()).size
    for (let each = 1; each <= OFTEN; each += 1) {
      await sendRaw('GET', `/made-up/${each}`)
      await sendRaw(each % 2 === 0 ? 'MKCOL' : 'REPORT', `/made-up/${each}`)
      await sendRaw('GET', `/api/v1/made-up/${each}`)
      await sendRaw('GET', `/api/models?made-up=${each}`)
      await sendRaw('POST', `//made-up.example:${each}/api/chat/completions`)
    }
    const text = await read()
    // Leading slashes are a further kind of miss.
    expect(values(text).size).toBeLessThanOrEqual(before + 40)
    expect(text).not.toMatch(/made-up|MKCOL|PROPFIND/)
  }, 60_000)

  it('count a stream while it runs, and the tokens of what is kept and of what is not', async () => {
    const [input, output] = [
      'chat_gateway_tokens_total{direction="input"}',
      'chat_gateway_tokens_total{direction="output"}',
    ]
    const before = values(await read())
    const ask = (extra: Record<string, unknown>) =>
      server.call('POST', '/api/chat/completions', {
        token: admin,
        body: {
          model: 'cloud',
          messages: [{ role: 'user', content: '/slow 20' }],
          stream: true,
          stream_options: { include_usage: true },
          ...extra,
        },
      })
    const stateless = await ask({})
    expect(await valueOf('chat_gateway_running_streams')).toBe(1)
    await stateless.text()
    await expect.poll(() => valueOf('chat_gateway_running_streams')).toBe(0)
    const between = values(await read())
    const spent = [input, output].map((name) => between.get(name)! - before.get(name)!)
    expect(Math.min(...spent)).toBeGreaterThan(0)
    const chat = (await (
      await server.call('POST', '/api/v1/chats/new', {
        token: admin,
        body: { chat: { title: 'Kept' } },
      })
    ).json()) as { id: string }
    await (await ask({ chat_id: chat.id, id: 'answer-1' })).text()
    await expect
      .poll(async () => {
        const after = values(await read())
        return [input, output].map((name) => after.get(name)! - between.get(name)!)
      })
      .toEqual(spent)
  })

  it('count files that wait to be read', async () => {
    const form = new FormData()
    form.set('file', new Blob(['Some words.'], { type: 'text/plain' }), 'words.txt')
    await fetch(`${server.url}/api/v1/files/?process=false`, {
      method: 'POST',
      body: form,
      headers: { Authorization: `Bearer ${admin}` },
    })
    expect(await valueOf('chat_gateway_reading_queue')).toBe(0)
    const { sqlite } = server.context.storage
    // The queue was not notified, so the job stays in it.
    sqlite.exec("update file set job = 'extract'")
    expect(await valueOf('chat_gateway_reading_queue')).toBe(1)
    expect(await valueOf('chat_gateway_reading_running')).toBe(0)
    sqlite.exec('update file set job = null')
    expect(await valueOf('chat_gateway_reading_queue')).toBe(0)
  })

  it('hold nothing of people, what they write or what the gateway keeps secret', async () => {
    const text = await read()
    const { id } = (await server.context.users.first())!
    for (const secret of [
      id,
      'Ada',
      'ada@example.com',
      admin,
      'provider-key-123',
      '/slow',
      'cloud',
    ])
      expect(text).not.toContain(secret)
  })

  it('are on a listener of their own, and only there', async () => {
    // The UI may be served there, as at every path it may know.
    expect(await (await server.call('GET', '/metrics')).text()).not.toContain('chat_gateway_')
    expect((await fetch(`http://${address}/`)).status).toBe(404)
    expect((await fetch(`http://${address}/api/config`)).status).toBe(404)
    expect((await fetch(`http://${address}/metrics`, { method: 'POST' })).status).toBe(405)
  })

  it('are not told to a page under a name that leads to this computer', async () => {
    const asked = request(`http://${address}/metrics`, { headers: { host: 'evil.example:9464' } })
    asked.end()
    const [reply] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }]
    reply.resume()
    expect(reply.statusCode).toBe(403)
  })

  it('say that the database is away, without waiting for it', async () => {
    const { storage } = server.context
    const ping = storage.ping.bind(storage)
    storage.ping = () => {
      throw new Error('connection refused')
    }
    const began = performance.now()
    expect(await valueOf('chat_gateway_database_up')).toBe(0)
    expect(performance.now() - began).toBeLessThan(5000)
    storage.ping = ping
    expect(await valueOf('chat_gateway_database_up')).toBe(1)
  })
})
