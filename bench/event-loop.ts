import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startFakeCompatible } from '../server/testing/fake-upstream/fake-compatible.ts'
import { type BenchResult, judgeAtMost } from './bench-result.ts'

const SECONDS = 15
const STREAMS = 50
const CLIENTS = 6
const LARGE_CHAT = 10_000
const gateway = path.resolve(import.meta.dirname, '../out/server/index.js')
const PASSWORD = 'a password for the benchmark'

type Call = (method: string, target: string, body?: unknown) => Promise<Response>

async function start(dataDir: string, upstream: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(gateway, [], {
    execArgv: ['--import', path.join(import.meta.dirname, 'support/loop-delay.ts')],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'error',
      LLMHOST_BASE_URLS: '',
      OPENAI_API_BASE_URLS: upstream,
      OPENAI_API_KEYS: 'key',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, url: /http:\S+/.exec(line.toString())![0] }
}

async function signUp(url: string): Promise<Call> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: 'Bench', email: 'bench@example.com', password: PASSWORD })
  const session = (await (await fetch(`${url}/api/v1/auths/signup`, { method: 'POST', headers, body })).json()) as { token: string }
  return (method, target, sent) =>
    fetch(url + target, {
      method,
      headers: { ...headers, Authorization: `Bearer ${session.token}` },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    })
}

async function createLargeChat(call: Call): Promise<string> {
  const { id } = (await (await call('POST', '/api/v1/chats/new', { chat: { title: 'Large' } })).json()) as { id: string }
  for (let from = 0; from < LARGE_CHAT; from += 200) {
    const messages = Object.fromEntries(
      Array.from({ length: 200 }, (_, offset) => {
        const name = `m${from + offset}`
        const parentId = from + offset === 0 ? null : `m${from + offset - 1}`
        return [
          name,
          { id: name, role: 'user', parentId, childrenIds: [], timestamp: 1, content: 'words of an ordinary message '.repeat(20) },
        ]
      }),
    )
    await call('POST', `/api/v1/chats/${id}?reply=minimal`, { chat: { history: { currentId: `m${from + 199}`, messages } } })
  }
  return id
}

/** What one busy client does, again and again: write, read, search, sign in, open the long chat. */
async function mixedWork(call: Call, largeId: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const { id } = (await (await call('POST', '/api/v1/chats/new', { chat: { title: `Chat ${randomUUID()}` } })).json()) as { id: string }
    const jobs: [string, string, unknown?][] = [
      [
        'POST',
        `/api/v1/chats/${id}?reply=minimal`,
        { chat: { history: { messages: { [randomUUID()]: { role: 'user', content: 'words '.repeat(200) } } } } },
      ],
      ['GET', '/api/v1/chats/?page=1'],
      ['GET', '/api/v1/chats/search?text=ordinary'],
      ['GET', `/api/v1/chats/${largeId}/branch`],
      ['GET', `/api/v1/chats/${largeId}`],
      ['GET', '/api/models'],
      ['POST', '/api/v1/auths/signin', { email: 'bench@example.com', password: PASSWORD }],
    ]
    for (const [method, target, body] of jobs) await (await call(method, target, body)).arrayBuffer()
  }
}

async function stream(call: Call, isOver: () => boolean): Promise<void> {
  while (!isOver())
    await (
      await call('POST', '/api/chat/completions', { model: 'slow', stream: true, messages: [{ role: 'user', content: '/slow 60' }] })
    ).arrayBuffer()
}

/** P24: how late the event loop of the gateway runs while people stream, write, search and open a chat of 10,000 messages. */
export async function run(): Promise<BenchResult> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-loop-'))
  const upstream = await startFakeCompatible({})
  const { child, url } = await start(dataDir, upstream.url)
  try {
    const call = await signUp(url)
    const largeId = await createLargeChat(call)
    child.send('begin')
    const end = performance.now() + SECONDS * 1000
    const isOver = () => performance.now() > end
    await Promise.all([
      ...Array.from({ length: STREAMS }, () => stream(call, isOver)),
      ...Array.from({ length: CLIENTS }, () => mixedWork(call, largeId, isOver)),
    ])
    const answer = once(child, 'message')
    child.send('end')
    const [{ p99, max }] = (await answer) as [{ p99: number; max: number }]
    return {
      goal: 'P24',
      rows: [
        {
          name: 'longest block of the event loop under mixed work',
          value: max,
          unit: 'ms',
          hold: '<= 50',
          reached: judgeAtMost(max, { hold: 50, moonshot: 0 }),
        },
        { name: 'p99 of the loop delay', value: p99, unit: 'ms', hold: '<= 20', reached: judgeAtMost(p99, { hold: 20, moonshot: 0 }) },
      ],
      notes: [
        `${STREAMS} streams and ${CLIENTS} busy clients for ${SECONDS} s, with garbage collection and a machine of two cores shared with the load`,
      ],
    }
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
    await upstream.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
