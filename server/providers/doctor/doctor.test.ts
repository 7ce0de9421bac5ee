import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createSocketServer, type AddressInfo, type Server } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCTOR_STEPS, type DoctorFinding, type DoctorInput } from '#contract/doctor.ts'
import type { Connection } from '#contract/connections.ts'
import { createTestCertificate } from '../../testing/create-test-certificate.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'

const KEY = 'sk-canary-0123456789abcdef'
let gateway: TestServer
let token: string
let local: number
const closers: (() => void | Promise<void>)[] = []

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  closers.push(() => void server.close())
  return (server.address() as AddressInfo).port
}
const serve = (listener: RequestListener, host?: string): Promise<number> =>
  listen(createServer(listener), host)
const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
const MODELS = { data: [{ id: 'large' }, { id: 'small' }] }
/** A typical model server: below /v1, and nothing elsewhere. */
const provider: RequestListener = (request, response) =>
  request.url === '/v1/models' ? json(response, MODELS) : json(response, { error: 'none' }, 404)

async function freePort(): Promise<number> {
  const server = createSocketServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

const input = (changes: Partial<DoctorInput>) => ({
  kind: 'compatible',
  name: 'Cloud',
  url: '',
  timeout_seconds: 60,
  ...changes,
})

async function take(
  step: string,
  changes: Partial<DoctorInput>,
  as: string | null = token,
): Promise<{ status: number; body: DoctorFinding }> {
  const reply = await gateway.call('POST', '/api/v1/connections/examine', {
    token: as ?? undefined,
    body: { ...input(changes), step },
  })
  return { status: reply.status, body: (await reply.json()) as DoctorFinding }
}

/** Runs the steps until one fails, as the UI does; returns that finding, or the last one. */
async function walk(changes: Partial<DoctorInput>): Promise<DoctorFinding> {
  let last: DoctorFinding | null = null
  for (const step of DOCTOR_STEPS) {
    const { status, body } = await take(step, changes)
    expect(status).toBe(200)
    if (body.verdict === 'bad') return body
    if (body.verdict === 'look' || last?.verdict !== 'look') last = body
  }
  return last!
}

beforeAll(async () => {
  local = await serve(provider)
  const programs = mkdtempSync(path.join(tmpdir(), 'chat-gateway-'))
  closers.push(() => rmSync(programs, { recursive: true }))
  writeFileSync(path.join(programs, 'llama-server'), '')
  gateway = await startTestServer({
    environment: {
      LOCAL_RUNTIME_PORTS: String(local),
      PATH: programs,
      UPSTREAM_CONNECT_TIMEOUT: '2',
    },
  })
  closers.push(() => gateway.close())
  token = await gateway.signUp('Ada')
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

describe('what the doctor says of a set-up', () => {
  it('that works: nothing', async () => {
    const found = await walk({ url: `http://127.0.0.1:${local}/v1` })
    expect(found).toMatchObject({ step: 'models', verdict: 'good', text: 'It offers 2 models.' })
  })

  it.each([
    ['127.0.0.1:11434', 'no_scheme', 'http://127.0.0.1:11434'],
    ['provider.example/v1', 'no_scheme', 'https://provider.example/v1'],
    ['ws://provider.example/v1', 'wrong_scheme', 'https://provider.example/v1'],
    ['https://me:word@provider.example/v1', 'secret_in_address', 'https://provider.example/v1'],
    ['https://provider.example/v1?key=1', 'question_in_address', 'https://provider.example/v1'],
    [
      'https://provider.example/v1/chat/completions',
      'call_in_address',
      'https://provider.example/v1',
    ],
    ['http://0.0.0.0:8080/v1', 'every_address', 'http://127.0.0.1:8080/v1'],
  ])('with the address %s: %s, and mends it', async (url, code, mended) => {
    expect(await walk({ url })).toMatchObject({
      step: 'address',
      code,
      mends: [{ kind: 'address', url: mended }],
    })
  })

  it('whose address is none: so', async () => {
    expect(await walk({ url: 'http://' })).toMatchObject({ code: 'not_an_address', mends: [] })
  })

  it('where nothing listens: the program that is missing, and one that is there', async () => {
    const port = await freePort()
    expect(await walk({ url: `http://127.0.0.1:${port}/v1` })).toMatchObject({
      step: 'runtime',
      code: 'nothing_listens',
      mends: [{ kind: 'type', type: 'compatible', url: `http://127.0.0.1:${local}/v1` }],
    })
  })

  it('whose program is installed and does not run: how to start it', async (context) => {
    const probe = createServer()
    probe.on('error', () => undefined)
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false))
      probe.listen(8080, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (!isFree) context.skip()
    expect(await walk({ url: 'http://127.0.0.1:8080/v1' })).toMatchObject({
      step: 'runtime',
      code: 'not_running',
      text: 'llama.cpp is installed but is not running.',
      advice: 'Run: llama-server -m <model.gguf>',
    })
  })

  it('whose host does not exist: the host', async () => {
    const { step, code } = await walk({ url: 'https://no-such-host.invalid/v1' })
    expect(step).toBe('host')
    expect(['host_unknown', 'no_name_service']).toContain(code)
  })

  it('behind a proxy that refuses: the proxy', async () => {
    const port = await serve((_, response) => json(response, {}, 407))
    expect(await walk({ url: `http://127.0.0.1:${port}/v1` })).toMatchObject({
      step: 'proxy',
      code: 'proxy_refuses',
    })
  })

  it('that never answers: silence, and a longer wait where the own was short', async () => {
    const server = createSocketServer((socket) => socket.on('error', () => undefined))
    const port = await listen(server)
    const url = `http://127.0.0.1:${port}/v1`
    expect(await walk({ url, timeout_seconds: 1 })).toMatchObject({
      step: 'answer',
      code: 'silent',
      mends: [{ kind: 'timeout', seconds: 60 }],
    })
  }, 30_000)

  it('that hangs up: a connection that was broken off', async () => {
    const port = await listen(createSocketServer((socket) => socket.destroy()))
    expect(await walk({ url: `http://127.0.0.1:${port}/v1` })).toMatchObject({
      step: 'answer',
      code: 'broken_off',
    })
  })

  it('without /v1: the path, and mends it', async () => {
    expect(await walk({ url: `http://127.0.0.1:${local}` })).toMatchObject({
      step: 'answer',
      code: 'wrong_path',
      mends: [{ kind: 'address', url: `http://127.0.0.1:${local}/v1` }],
    })
  })

  it('without /v1 and with a wrong key: first the path', async () => {
    const port = await serve((request, response) =>
      json(response, {}, request.url === '/v1/models' ? 401 : 404),
    )
    expect(await walk({ url: `http://127.0.0.1:${port}`, key: 'sk-of-another' })).toMatchObject({
      code: 'wrong_path',
      mends: [{ kind: 'address', url: `http://127.0.0.1:${port}/v1` }],
    })
  })

  it('at the port of a web page: the page, and where models are', async () => {
    const port = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Hello'),
    )
    expect(await walk({ url: `http://127.0.0.1:${port}/v1` })).toMatchObject({
      step: 'answer',
      code: 'web_page',
      mends: [{ kind: 'type', url: `http://127.0.0.1:${local}/v1` }],
    })
  })

  it('of another kind than it says: the kind, and mends it', async () => {
    const port = await serve((request, response) =>
      request.url === '/api/tags'
        ? json(response, { models: [{ name: 'llama:8b' }] })
        : json(response, {}, 404),
    )
    expect(await walk({ url: `http://127.0.0.1:${port}` })).toMatchObject({
      code: 'wrong_path',
      mends: [{ kind: 'type', type: 'runtime', url: `http://127.0.0.1:${port}` }],
    })
  })

  it('that moved: the new address, and mends it', async () => {
    const port = await serve((_, response) =>
      response.writeHead(308, { location: 'https://new.example/api/v1/models' }).end(),
    )
    expect(await walk({ url: `http://127.0.0.1:${port}/v1` })).toMatchObject({
      code: 'redirected',
      mends: [{ kind: 'address', url: 'https://new.example/api/v1' }],
    })
  })

  it.each([
    [500, 'failing'],
    [503, 'busy'],
  ])('that answers %i: %s', async (status, code) => {
    const port = await serve((_, response) => json(response, {}, status))
    expect(await walk({ url: `http://127.0.0.1:${port}/v1` })).toMatchObject({
      step: 'answer',
      code,
    })
  })

  it('that refuses the name it is called by: the name, and mends it', async () => {
    const port = await serve((request, response) =>
      request.headers.host === `127.0.0.1:${port}`
        ? provider(request, response)
        : json(response, {}, 403),
    )
    expect(await walk({ url: `http://localhost:${port}/v1` })).toMatchObject({
      step: 'origin',
      code: 'name_refused',
      mends: [{ kind: 'address', url: `http://127.0.0.1:${port}/v1` }],
    })
  })

  it.each([
    [401, undefined, 'key_missing'],
    [401, 'sk-of-another', 'key_refused'],
    [403, 'sk-of-another', 'key_forbidden'],
  ])('that answers %i to the key %s: %s', async (status, key, code) => {
    const port = await serve((request, response) =>
      request.headers.authorization === `Bearer ${KEY}`
        ? provider(request, response)
        : json(response, {}, status),
    )
    const url = `http://127.0.0.1:${port}/v1`
    const found = await walk({ url, key })
    expect(found).toMatchObject({ step: 'key', code, mends: [{ kind: 'key' }] })
    expect(JSON.stringify(found)).not.toContain('sk-of-another')
    expect(await walk({ url, key: KEY })).toMatchObject({ step: 'models', verdict: 'good' })
  })

  it('without models, or without those it names: the models', async () => {
    const empty = await serve((_, response) => json(response, { data: [] }))
    expect(await walk({ url: `http://127.0.0.1:${empty}/v1` })).toMatchObject({
      step: 'models',
      code: 'no_models',
    })
    const url = `http://127.0.0.1:${local}/v1`
    expect(await walk({ url, model_ids: ['gone'] })).toMatchObject({
      step: 'models',
      verdict: 'bad',
      code: 'models_missing',
      mends: [{ kind: 'models', model_ids: [] }],
    })
    expect(await walk({ url, model_ids: ['gone', 'small'] })).toMatchObject({
      verdict: 'look',
      mends: [{ kind: 'models', model_ids: ['small'] }],
    })
  })

  it('that is switched off: so, and mends it', async () => {
    const { body } = await take('address', {
      url: `http://127.0.0.1:${local}/v1`,
      enabled: false,
    })
    expect(body).toMatchObject({ code: 'switched_off', mends: [{ kind: 'switch-on' }] })
  })
})

describe('what the doctor says of a certificate', () => {
  async function secure(options: { name: string; days: number }): Promise<string> {
    const server = createSecureServer(createTestCertificate(options), provider)
    server.on('tlsClientError', () => undefined)
    return `https://localhost:${await listen(server, 'localhost')}/v1`
  }

  it('that ran out, belongs to another, or was made by the server itself', async () => {
    expect(await walk({ url: await secure({ name: 'localhost', days: -1 }) })).toMatchObject({
      step: 'certificate',
      code: 'certificate_expired',
    })
    expect(await walk({ url: await secure({ name: 'other.example', days: 90 }) })).toMatchObject({
      step: 'certificate',
      code: 'certificate_of_another',
    })
    expect(await walk({ url: await secure({ name: 'localhost', days: 90 }) })).toMatchObject({
      step: 'certificate',
      code: 'certificate_self_signed',
    })
  })

  it('nobody vouches for: who issued it, and trusts it for this connection alone', async () => {
    const url = await secure({ name: 'localhost', days: 90 })
    const found = await walk({ url })
    const mend = found.mends.find(({ kind }) => kind === 'trust')
    expect(mend).toMatchObject({ subject: 'localhost', issuer: 'localhost' })
    const { fingerprint } = mend as { fingerprint: string }
    expect(fingerprint).toMatch(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/)
    expect(await walk({ url, trusted_certificate: fingerprint })).toMatchObject({
      step: 'models',
      verdict: 'good',
    })
    const other = await secure({ name: 'localhost', days: 90 })
    expect(await walk({ url: other, trusted_certificate: fingerprint })).toMatchObject({
      code: 'certificate_self_signed',
    })
    const ended = await walk({ url: await secure({ name: 'localhost', days: -1 }) })
    expect(ended.mends).toEqual([])
    const reply = await gateway.call('POST', '/api/v1/connections', {
      token,
      body: { ...input({ url, trusted_certificate: fingerprint, use_proxy: false }), name: 'Own' },
    })
    expect(await reply.json()).toMatchObject({
      trusted_certificate: fingerprint,
      use_proxy: false,
      state: { status: 'ok', model_count: 2 },
    })
  })

  it('of a server that is called without one, and the other way round', async () => {
    const url = (await secure({ name: 'localhost', days: 90 })).replace('https:', 'http:')
    expect(await walk({ url })).toMatchObject({
      step: 'certificate',
      code: 'wants_https',
      mends: [{ kind: 'address', url: url.replace('http:', 'https:') }],
    })
    expect(await walk({ url: `https://127.0.0.1:${local}/v1` })).toMatchObject({
      step: 'certificate',
      code: 'not_secure',
      mends: [{ kind: 'address', url: `http://127.0.0.1:${local}/v1` }],
    })
  })
})

describe('the doctor', () => {
  it('lends the stored key to the stored address alone', async () => {
    const seen: (string | undefined)[] = []
    const listener: RequestListener = (request, response) => {
      seen.push(request.headers.authorization)
      provider(request, response)
    }
    const [own, other] = [await serve(listener), await serve(listener)]
    const reply = await gateway.call('POST', '/api/v1/connections', {
      token,
      body: { ...input({ url: `http://127.0.0.1:${own}/v1`, key: KEY }) },
    })
    const { id } = (await reply.json()) as Connection
    seen.length = 0
    await take('key', { id, url: `http://127.0.0.1:${own}/v1` })
    await take('key', { id, url: `http://127.0.0.1:${other}/v1` })
    expect(seen).toEqual([`Bearer ${KEY}`, undefined])
  })

  it('calls nothing far away in offline mode, and offers to leave it', async () => {
    const offline = await startTestServer({ environment: { OFFLINE_MODE: 'true' } })
    closers.push(() => offline.close())
    const admin = await offline.signUp('Ada')
    const reply = await offline.call('POST', '/api/v1/connections/examine', {
      token: admin,
      body: { ...input({ url: 'https://provider.example/v1' }), step: 'port' },
    })
    expect(await reply.json()).toMatchObject({ code: 'offline', mends: [{ kind: 'online' }] })
  })
})
