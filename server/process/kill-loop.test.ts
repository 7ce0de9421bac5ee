import Sqlite from 'better-sqlite3'
import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Chat } from '#contract/chats.ts'
import { folderOnDisk } from '../testing/create-temporary-folder.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import { startGatewayProcess, type GatewayProcess } from '../testing/start-process.ts'

const CYCLES = Number(process.env['KILL_CYCLES'] ?? 100)
const WRITERS = 4
const ACCOUNT = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

/** Messages that the gateway acknowledged with a 2xx: texts by chat. */
interface Journal {
  messages: Map<string, Map<string, string>>
  writes: number
  /** Resolves once a message may have been written. */
  readonly begun: PromiseWithResolvers<void>
}

type Post = (path: string, body: unknown) => Promise<Record<string, unknown> | null>

/** Returns null if the gateway died before it acknowledged. */
function createPost(gateway: GatewayProcess, token: string): Post {
  return async (target, body) => {
    try {
      const response = await fetch(gateway.url + target, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      const reply = (await response.json()) as Record<string, unknown>
      expect(response.status, JSON.stringify(reply)).toBe(200)
      return reply
    } catch (error) {
      if (error instanceof TypeError || (error instanceof Error && error.name === 'AbortError'))
        return null
      throw error
    }
  }
}

const message = (role: string, content: string, parentId: string | null) => ({
  id: randomUUID(),
  role,
  content,
  parentId,
  childrenIds: [],
  timestamp: 1_700_000_000,
  models: ['text'],
})

/** One writer: creates a chat, appends messages and requests answers until the gateway is gone. */
async function write(post: Post, journal: Journal): Promise<void> {
  const created = await post('/api/v1/chats/new', { chat: { title: `Chat ${randomUUID()}` } })
  if (!created) return
  const chatId = String(created['id'])
  const texts = new Map<string, string>()
  journal.messages.set(chatId, texts)
  journal.writes += 1
  let parentId: string | null = null
  for (;;) {
    const added = message('user', `text ${randomUUID()}`, parentId)
    const saved = await post(`/api/v1/chats/${chatId}?reply=minimal`, {
      chat: { history: { currentId: added.id, messages: { [added.id]: added } } },
    })
    if (!saved) return
    texts.set(added.id, added.content)
    journal.writes += 1
    if (journal.writes >= 2 * WRITERS) journal.begun.resolve()
    const answerId = randomUUID()
    // The answer is started but not awaited: the kill interrupts it.
    void post('/api/chat/completions', {
      model: 'slow',
      chat_id: chatId,
      id: answerId,
      parent_id: added.id,
      messages: [{ role: 'user', content: '/slow 40' }],
      stream: false,
    })
    parentId = added.id
    await sleep(randomInt(1, 10))
  }
}

function checkDatabase(file: string): void {
  const database = new Sqlite(file)
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(database.pragma('foreign_key_check')).toEqual([])
  const indexes = database
    .prepare("select name from sqlite_schema where sql like 'create virtual table%fts5%'")
    .pluck()
    .all() as string[]
  for (const name of indexes)
    database.prepare(`insert into "${name}" ("${name}") values ('integrity-check')`).run()
  database.close()
}

async function signIn(gateway: GatewayProcess, route: 'signup' | 'signin'): Promise<string> {
  const response = await fetch(`${gateway.url}/api/v1/auths/${route}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  })
  return String(((await response.json()) as { token: string }).token)
}

async function readChat(gateway: GatewayProcess, token: string, chatId: string): Promise<Chat> {
  const response = await fetch(`${gateway.url}/api/v1/chats/${chatId}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(response.status, `chat ${chatId}`).toBe(200)
  return (await response.json()) as Chat
}

/** Counts acknowledged messages that are missing or different, and answers that never end. */
async function compare(
  gateway: GatewayProcess,
  token: string,
  journal: Journal,
): Promise<{ lost: number; unfinished: number; answers: number }> {
  let [lost, unfinished, answers] = [0, 0, 0]
  for (const [chatId, texts] of journal.messages) {
    const { messages } = (await readChat(gateway, token, chatId)).chat.history
    for (const [id, text] of texts) if (messages[id]?.content !== text) lost += 1
    const written = Object.values(messages).filter(({ role }) => role === 'assistant')
    answers += written.length
    unfinished += written.filter(({ done }) => done !== true).length
  }
  return { lost, unfinished, answers }
}

interface Cycle {
  readonly environment: Record<string, string>
  readonly databaseFile: string
  readonly token: string
  readonly meetsWriting: boolean
}

/**
 * Kills a gateway while it writes; the gateway that is checked afterwards is the next to be killed.
 */
async function cycle(
  gateway: GatewayProcess,
  options: Cycle,
): Promise<{ again: GatewayProcess; writes: number; answers: number }> {
  const journal: Journal = { messages: new Map(), writes: 0, begun: Promise.withResolvers<void>() }
  const post = createPost(gateway, options.token)
  const writers = Array.from({ length: WRITERS }, () => write(post, journal))
  // On a busy machine the first writes take long; most kills should interrupt writing, some the
  // very beginning.
  if (options.meetsWriting) await Promise.race([journal.begun.promise, sleep(10_000)])
  await sleep(randomInt(20, 250))
  await gateway.kill()
  await Promise.all(writers)
  checkDatabase(options.databaseFile)

  const again = await startGatewayProcess(options.environment)
  const { answers, ...faults } = await compare(again, options.token, journal)
  expect(faults).toEqual({ lost: 0, unfinished: 0 })
  return { again, writes: journal.writes, answers }
}

test(
  `R1: killed ${CYCLES} times under load, the gateway loses no acknowledged write and leaves no message without done`,
  async () => {
    const dataDir = mkdtempSync(path.join(folderOnDisk(), 'chat-gateway-kill-'))
    const upstream: FakeUpstream = await startFakeCompatible({})
    const environment = {
      DATA_DIR: dataDir,
      OPENAI_API_BASE_URLS: upstream.url,
      OPENAI_API_KEYS: 'key',
    }
    let gateway = await startGatewayProcess(environment)
    try {
      const token = await signIn(gateway, 'signup')
      const total = { writes: 0, answers: 0 }
      for (let index = 0; index < CYCLES; index += 1) {
        const databaseFile = path.join(dataDir, 'chat-gateway.db')
        const { again, writes, answers } = await cycle(gateway, {
          environment,
          databaseFile,
          token,
          meetsWriting: index % 4 !== 0,
        })
        gateway = again
        total.writes += writes
        total.answers += answers
      }
      expect(total.writes).toBeGreaterThan(CYCLES)
      expect(total.answers).toBeGreaterThan(CYCLES)
      process.stdout.write(
        `kill loop: ${CYCLES} kills, ${total.writes} acknowledged writes, 0 lost, ${total.answers} answers cut and closed\n`,
      )
    } finally {
      await gateway.kill()
      await upstream.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
  CYCLES * 15_000,
)
