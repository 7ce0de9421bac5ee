import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Chat } from '#contract/chats.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import { startGatewayProcess, type GatewayProcess } from '../testing/start-process.ts'

let dataDir: string
let running: GatewayProcess[]

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-process-'))
  running = []
})
afterEach(async () => {
  await Promise.all(
    running
      .filter(({ child }) => child.exitCode === null && child.signalCode === null)
      .map((each) => each.kill()),
  )
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(environment: Record<string, string> = {}): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess({ DATA_DIR: dataDir, ...environment })
  running.push(gateway)
  return gateway
}

async function signUp(gateway: GatewayProcess): Promise<string> {
  const body = JSON.stringify({
    name: 'Ada',
    email: 'ada@example.com',
    password: 'correct horse battery',
  })
  const response = await fetch(`${gateway.url}/api/v1/auths/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  return ((await response.json()) as { token: string }).token
}

const readDiscovery = () =>
  JSON.parse(readFileSync(path.join(dataDir, 'gateway.json'), 'utf8')) as Record<string, unknown>

describe('the discovery file', () => {
  test('tells address, process and versions to its owner only, and is gone after a stop', async () => {
    const gateway = await start()
    expect(readDiscovery()).toMatchObject({
      url: gateway.url,
      pid: gateway.child.pid,
      api_version: '0.9.6',
    })
    expect(statSync(path.join(dataDir, 'gateway.json')).mode & 0o777).toBe(0o600)
    expect(await gateway.terminate()).toBe(0)
    expect(existsSync(path.join(dataDir, 'gateway.json'))).toBe(false)
  })

  test('R11: with the port taken the next free one is used and published, and the stranger gets nothing', async () => {
    const heard: string[] = []
    const stranger: Server = createServer((request, response) => {
      heard.push(request.url ?? '')
      response.end()
    }).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const { port } = stranger.address() as AddressInfo
    const gateway = await start({ PORT: String(port) })
    expect(gateway.url).not.toContain(`:${port}`)
    expect(readDiscovery()['url']).toBe(gateway.url)
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200)
    expect(heard).toEqual([])
    stranger.close()
  })
})

test('a second gateway on the same data folder ends with the reason and the first goes on', async () => {
  const first = await start()
  await expect(startGatewayProcess({ DATA_DIR: dataDir })).rejects.toThrow(
    /already uses the data folder/,
  )
  expect((await fetch(`${first.url}/health`)).status).toBe(200)
})

describe('stopping', () => {
  test('R34: a stop in mid-answer keeps the partial text, ends the stream cleanly and leaves the port free', async () => {
    const upstream = await startFakeCompatible({})
    const gateway = await start({
      OPENAI_API_BASE_URLS: upstream.url,
      OPENAI_API_KEYS: 'key',
      SHUTDOWN_GRACE: '1',
    })
    const token = await signUp(gateway)
    const post = (target: string, body: unknown) =>
      fetch(gateway.url + target, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    const chat = (await (
      await post('/api/v1/chats/new', { chat: { title: 'Stopped' } })
    ).json()) as Chat
    const answer = await post('/api/chat/completions', {
      model: 'slow',
      chat_id: chat.id,
      id: 'answer-1',
      stream: true,
      messages: [{ role: 'user', content: '/slow 400' }],
    })
    const reader = answer.body!.getReader()
    const decoder = new TextDecoder()
    let seen = ''
    while (!seen.includes('word5'))
      seen += decoder.decode((await reader.read()).value, { stream: true })

    const stopped = gateway.terminate()
    for (let part = await reader.read(); !part.done; part = await reader.read())
      seen += decoder.decode(part.value, { stream: true })
    expect(await stopped).toBe(0)
    expect(seen).toMatch(/data: \[DONE\]\s*$/)

    const again = await start({ PORT: new URL(gateway.url).port })
    expect(again.url).toBe(gateway.url)
    const stored = (await (
      await fetch(`${again.url}/api/v1/chats/${chat.id}`, {
        headers: { Authorization: `Bearer ${token}` },
      })
    ).json()) as Chat
    expect(stored.chat.history.messages['answer-1']).toMatchObject({
      done: true,
      content: expect.stringContaining('word5'),
    })
    await upstream.close()
  })

  test('an idle gateway with an open socket stops at once', async () => {
    const gateway = await start()
    const token = await signUp(gateway)
    const socket = new WebSocket(gateway.url.replace('http', 'ws') + '/ws')
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'auth', token }))
    await once(socket, 'message')
    const closed = once(socket, 'close')
    expect(await gateway.terminate()).toBe(0)
    await closed
  })
})

test('no credential and no message text reaches the log, at any level', async () => {
  const upstream = await startFakeCompatible({})
  const gateway = await startGatewayProcess({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    ENABLE_API_KEYS: 'true',
    OPENAI_API_BASE_URLS: upstream.url,
    OPENAI_API_KEYS: 'upstream-key-4711',
  })
  running.push(gateway)
  let log = ''
  gateway.child.stderr!.on('data', (part: Buffer) => (log += part.toString()))
  const token = await signUp(gateway)
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const created = await fetch(`${gateway.url}/api/v1/auths/api_keys`, {
    method: 'POST',
    headers,
    body: '{"name":"script"}',
  })
  const { api_key: key } = (await created.json()) as { api_key: string }
  for (const content of ['a private thought', '/error 401', '/cut']) {
    const call = {
      method: 'POST',
      headers: { ...headers, Authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'text', stream: true, messages: [{ role: 'user', content }] }),
    }
    await (await fetch(`${gateway.url}/api/chat/completions`, call)).text()
  }
  await fetch(`${gateway.url}/api/models?token=${token}`, {
    headers: { Authorization: 'Bearer sk-wrong-key-0123456789' },
  })
  await gateway.terminate()
  await upstream.close()
  expect(log).toContain('/api/chat/completions')
  for (const secret of [
    token,
    key,
    'upstream-key-4711',
    'correct horse battery',
    'a private thought',
    'sk-wrong-key',
  ])
    expect(log).not.toContain(secret)
})
