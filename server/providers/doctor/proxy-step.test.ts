import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { DOCTOR_STEPS, type DoctorFinding, type DoctorInput } from '#contract/doctor.ts'
import { startProxy } from '../../testing/start-proxy.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'

let gateway: TestServer
let token: string
let local: number
const closers: (() => unknown)[] = []

const input = { kind: 'compatible', name: 'Cloud', url: '', timeout_seconds: 60 }

async function take(
  step: string,
  changes: Partial<DoctorInput>,
): Promise<{ status: number; body: DoctorFinding }> {
  const reply = await gateway.call('POST', '/api/v1/connections/examine', {
    token,
    body: { ...input, ...changes, step },
  })
  return { status: reply.status, body: (await reply.json()) as DoctorFinding }
}

/** Runs the steps until one fails, as the UI does; returns that finding, or the last one. */
async function walk(changes: Partial<DoctorInput>): Promise<DoctorFinding> {
  let last: DoctorFinding | null = null
  for (const step of DOCTOR_STEPS) {
    const { status, body } = await take(step, changes)
    expect(status).toBe(200)
    last = body
    if (body.verdict === 'bad') break
  }
  return last!
}

beforeAll(async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: [{ id: 'large' }] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  local = (server.address() as AddressInfo).port
  gateway = await startTestServer({ environment: { UPSTREAM_CONNECT_TIMEOUT: '2' } })
  closers.push(() => gateway.close())
  token = await gateway.signUp('Ada')
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

describe('what the doctor says of the proxy', () => {
  const use = (values: Record<string, unknown>) => gateway.context.settings.update(values as never)
  afterEach(() => use({ PROXY_ADDRESS: null, PROXY_USER: null, PROXY_PASSWORD: null }))

  it('where it leads: so, and what is behind it', async () => {
    const proxy = await startProxy({ leadTo: local })
    closers.push(() => proxy.close())
    await use({ PROXY_ADDRESS: `http://127.0.0.1:${proxy.port}` })
    const url = 'http://models.example.org/v1'
    expect((await take('host', { url })).body).toMatchObject({
      verdict: 'skipped',
      code: 'through_proxy',
    })
    expect((await take('proxy', { url })).body).toMatchObject({
      verdict: 'good',
      text: `Calls go through the proxy 127.0.0.1:${proxy.port}.`,
    })
    expect(await walk({ url })).toMatchObject({ step: 'models', verdict: 'good' })
    expect((await take('proxy', { url, use_proxy: false })).body).toMatchObject({
      verdict: 'skipped',
      code: 'proxy_left_out',
    })
    expect(new Set(proxy.asked)).toEqual(new Set(['models.example.org:80']))
  })

  it.each([
    ['refuse', 'proxy_refused'],
    ['lack', 'proxy_found_nothing'],
    ['break-off', 'proxy_broke_off'],
    ['talk-nonsense', 'proxy_speaks_otherwise'],
    ['stay-silent', 'proxy_silent'],
  ] as const)(
    'that does %s: %s, and offers to leave it out',
    async (conduct, code) => {
      const proxy = await startProxy({ leadTo: local })
      closers.push(() => proxy.close())
      proxy.conduct = conduct
      await use({ PROXY_ADDRESS: `http://127.0.0.1:${proxy.port}` })
      expect(await walk({ url: 'https://models.example.org/v1' })).toMatchObject({
        step: 'proxy',
        code,
        mends: [{ kind: 'straight' }],
      })
    },
    20_000,
  )

  it('that wants a password: so, and never shows the one it has', async () => {
    const account = { user: 'ada', password: 'canary-word' }
    const proxy = await startProxy({ leadTo: local, account: { ...account, password: 'other' } })
    closers.push(() => proxy.close())
    await use({
      PROXY_ADDRESS: `http://127.0.0.1:${proxy.port}`,
      PROXY_USER: account.user,
      PROXY_PASSWORD: account.password,
    })
    const found = await walk({ url: 'https://models.example.org/v1' })
    expect(found).toMatchObject({ step: 'proxy', code: 'proxy_wants_sign_in' })
    expect(JSON.stringify(found)).not.toContain(account.password)
  })
})
