import Sqlite from 'better-sqlite3'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startFakeCompatible } from '../server/testing/fake-upstream/fake-compatible.ts'
import { judgeAtMost, percentile, type BenchResult, type BenchRow } from './bench-result.ts'
import { fillChats } from './support/fill-chats.ts'
import { fillIndex } from './support/fill-index.ts'
import { startMeasuredGateway } from './support/measured-gateway.ts'
import { timeCalls } from './support/other-account.ts'

export const goals = ['P24']

const MESSAGES = Number(process.env['DELETION_MESSAGES'] ?? 1_000_000)
const MESSAGES_PER_CHAT = 20
const PASSAGES = 100_000
const PASSAGES_PER_DOCUMENT = 10_000
const FILES = 20_000
const QUIET_MILLISECONDS = 4000
const LOOK_MILLISECONDS = 100

const fileOf = (dataDir: string): string => path.join(dataDir, 'chat-gateway.db')

/** The first files have a document of the index each. */
const FILLING = [
  'update user set is_first = 1',
  'update chat set deleted_at = unixepoch()',
  `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${FILES - 1})
   insert into blob (id, user_id, hash, size, created_at) select 'b' || i, (select id from user), 'h' || i, 1, 1 from n`,
  `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${FILES - 1})
   insert into file (id, user_id, blob_id, filename, name_key, content_type, kind, metadata, status, document, created_at, updated_at)
   select 'f' || i, (select id from user), 'b' || i, 'a', 'a', 'text/plain', 'text', '{}', 'completed',
     case when i < ${PASSAGES / PASSAGES_PER_DOCUMENT} then 'd' || i end, 1, 1 from n`,
]

/** Fills a database with one account, its chats in the trash, and its files. */
async function fill(dataDir: string): Promise<void> {
  const file = fileOf(dataDir)
  await fillChats(file, {
    chats: MESSAGES / MESSAGES_PER_CHAT,
    messagesPerChat: MESSAGES_PER_CHAT,
  })
  const index = await fillIndex(file, PASSAGES, 'deleted')
  for (const text of FILLING) index.sqlite.exec(text)
  index.close()
}

/** Body of the call whose duration is measured meanwhile: another account stores a chat. */
const WRITE = JSON.stringify({ chat: { title: 'Another' } })

/** P24: measures how calls that delete very much affect the event loop and other calls. */
export async function run(): Promise<BenchResult> {
  const upstream = await startFakeCompatible({})
  const gateway = await startMeasuredGateway(upstream.url, { prepare: fill })
  try {
    const call = async (method: string, target: string, body?: string): Promise<unknown> => {
      const reply = await fetch(gateway.url + target, {
        method,
        headers: gateway.headers,
        ...(body !== undefined && { body }),
      })
      if (!reply.ok) throw new Error(`${method} ${target}: ${reply.status} ${await reply.text()}`)
      return reply.json()
    }
    const sqlite = new Sqlite(fileOf(gateway.dataDir), { readonly: true })
    const count = (what: string): number =>
      sqlite.prepare<[], number>(`select count(*) from ${what}`).pluck().get()!
    /** Resolves when nothing is left of a deletion, in the database and in the index. */
    const untilGone = async (): Promise<void> => {
      while (((await call('GET', '/api/v1/deletions')) as unknown[]).length > 0)
        await sleep(LOOK_MILLISECONDS)
      while (count('file_leftover') > 0) await sleep(LOOK_MILLISECONDS)
    }
    const feel = (work: Promise<unknown>): Promise<number[]> =>
      timeCalls(work, () => call('POST', '/api/v1/chats/new', WRITE))
    const before = await feel(sleep(QUIET_MILLISECONDS))
    const rows: BenchRow[] = []
    const notes = [`a write takes p99 ${percentile(before, 0.99).toFixed(1)} ms before`]
    for (const [name, target, left] of [
      ['emptying the trash', '/api/v1/chats/trash', 'message'],
      ['deleting all files', '/api/v1/files/all', 'file'],
    ] as const) {
      gateway.begin()
      const begun = performance.now()
      const answered = call('DELETE', target).then(() => performance.now() - begun)
      const during = await feel(answered.then(untilGone))
      const seconds = (performance.now() - begun) / 1000
      const { processor, max } = await gateway.end()
      if (count(left) > 0) throw new Error(`${count(left)} rows of ${left} are left.`)
      const wait = percentile(during, 0.99)
      rows.push(
        {
          name: `longest turn while ${name}`,
          value: processor,
          unit: 'ms',
          hold: '<= 50',
          reached: judgeAtMost(processor, { hold: 50, moonshot: 20 }),
        },
        {
          name: `a write p99 while ${name}, vs before`,
          value: wait / percentile(before, 0.99),
          unit: 'x',
          reached: 'shown',
        },
      )
      notes.push(
        `${name}: answered after ${(await answered).toFixed(0)} ms, all gone after ${seconds.toFixed(1)} s, ` +
          `a write p99 ${wait.toFixed(1)} ms, the loop ran up to ${max.toFixed(0)} ms late`,
      )
    }
    sqlite.close()
    return { goal: 'P24', rows, notes }
  } finally {
    await gateway.stop()
    await upstream.close()
  }
}
