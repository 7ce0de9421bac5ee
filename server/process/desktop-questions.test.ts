import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Snapshots, type Snapshot } from '../storage/snapshots/index.ts'
import { findCopyFault } from '../storage/backups/backups.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'

const entry = process.env['GATEWAY_ENTRY'] ?? path.resolve(import.meta.dirname, '../index.ts')

let dataDir: string
let upstream: FakeUpstream
let child: ChildProcess
let url: string
let token = ''

type Reply = Record<string, unknown>

/** Returns the next message of a type. */
async function next(type: string): Promise<Reply> {
  for (;;) {
    const [message] = (await once(child, 'message')) as [Reply]
    if (message['type'] === type) return message
  }
}

const askGateway = (message: Reply, answer: string): Promise<Reply> => {
  const reply = next(answer)
  child.send(message)
  return reply
}

const post = (target: string, body: unknown): Promise<Response> =>
  fetch(url + target, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token !== '' && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'chat-gateway-questions-'))
  upstream = await startFakeCompatible({})
  child = fork(entry, [], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DESKTOP_CHANNEL: '1',
      LLMHOST_BASE_URLS: '',
      OPENAI_API_BASE_URLS: upstream.url,
      OPENAI_API_KEYS: 'key',
    },
  })
  const start = { type: 'start', rootSecret: Buffer.alloc(32, 7).toString('base64'), dataDir }
  const ready = await askGateway(
    { ...start, profile: dataDir, port: 0, logLevel: 'error' },
    'ready',
  )
  url = String(ready['url'])
  const { code } = await askGateway({ type: 'desktop-code' }, 'desktop-code')
  const signedIn = (await (await post('/api/v1/auths/desktop', { code })).json()) as Reply
  token = String(signedIn['token'])
}, 60_000)

afterAll(async () => {
  const ended = once(child, 'exit')
  child.send({ type: 'stop' })
  await ended
  await upstream.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('says how many answers are being written, those of programs among them', async () => {
  const count = async () => (await askGateway({ type: 'activity' }, 'activity'))['answers']
  expect(await count()).toBe(0)
  const headers = { Authorization: `Bearer ${token}` }
  await (await fetch(`${url}/api/models`, { headers })).text()
  const question = { model: 'slow', messages: [{ role: 'user', content: '/slow 40' }] }
  const answers = await Promise.all([
    post('/api/chat/completions', { ...question, stream: true }),
    post('/api/chat/completions', { ...question, stream: true }),
  ])
  expect(await count()).toBe(2)
  await Promise.all(answers.map((answer) => answer.text()))
  await expect.poll(count).toBe(0)
})

const listed = async (): Promise<Reply[]> => {
  const headers = { Authorization: `Bearer ${token}` }
  const reply = await fetch(`${url}/api/v1/outgoing`, { headers })
  return ((await reply.json()) as { items: Reply[] }).items
}

test('lists the requests of windows, to this computer excepted', async () => {
  const tell = (report: Reply) =>
    child.send({ type: 'window-traffic', purpose: 'window', sent: 0, received: 0, ...report })
  tell({ id: 1, host: 'files.example.org', port: 443, isOver: false })
  tell({ id: 2, host: '127.0.0.1', port: 8080, isOver: true })
  const entry = { host: 'files.example.org', port: 443, purpose: 'window' }
  await expect.poll(listed).toEqual([expect.objectContaining({ ...entry, outcome: 'open' })])
  tell({ id: 1, host: 'files.example.org', port: 443, sent: 7, received: 70, isOver: true })
  const counted = { bytes_sent: 7, bytes_received: 70, outcome: 'ended' }
  await expect.poll(listed).toEqual([expect.objectContaining({ ...entry, ...counted })])
  const headers = { Authorization: `Bearer ${token}` }
  const status = await (await fetch(`${url}/api/v1/outgoing/status`, { headers })).json()
  expect((status as Reply)['unseen']).not.toContain('windows')
})

test('tells when sealed mode is switched on, and then lets no window leave', async () => {
  const asked = { type: 'leave', host: 'files.example.org', port: 443, purpose: 'window' }
  expect(await askGateway(asked, 'leave')).toMatchObject({ isAllowed: true })
  const seal = async (isSealed: boolean) => {
    const told = next('sealed')
    await post('/api/v1/settings', { values: { SEALED_MODE: isSealed } })
    expect(await told).toMatchObject({ isSealed })
  }
  await seal(true)
  expect(await askGateway(asked, 'leave')).toMatchObject({ isAllowed: false })
  expect(await listed()).toContainEqual(
    expect.objectContaining({ purpose: 'window', outcome: 'refused', fault: 'sealed' }),
  )
  await seal(false)
})

test('makes a sound copy of the database under the name that was asked for', async () => {
  const { file, problem } = await askGateway(
    { type: 'back-up', label: 'before-update' },
    'backed-up',
  )
  expect(problem).toBeNull()
  expect(String(file)).toMatch(/-before-update\.db$/)
  expect(findCopyFault(String(file))).toBeNull()
  const snapshots = new Snapshots(path.join(dataDir, 'chat-gateway.db'))
  const [{ id, label }] = snapshots.list() as [Snapshot]
  expect(label).toBe('before-update')
  expect(findCopyFault(await snapshots.open(id))).toBeNull()
})

test('says why there is no copy', async () => {
  const folder = path.join(dataDir, 'backups')
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'in the way')
  const reply = await askGateway({ type: 'back-up', label: 'before-update' }, 'backed-up')
  expect(reply).toMatchObject({ file: null, problem: expect.stringContaining('backups') })
  rmSync(folder)
  mkdirSync(folder)
})
