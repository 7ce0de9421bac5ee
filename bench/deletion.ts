import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { SearchStore } from '../server/chats/search/store.ts'
import { toIndexText, toOwnerWord } from '../server/lib/text/words.ts'
import { RetrievalStore } from '../server/retrieval/store.ts'
import { IndexThread } from '../server/retrieval/indexing/index-thread.ts'
import { addVectorTables } from '../server/retrieval/vectors/extension.ts'
import { connect } from '../server/storage/sqlite/connect.ts'
import { openStorage, type Storage } from '../server/storage/index.ts'
import { judgeAtMost, percentile, type BenchResult, type BenchRow } from './bench-result.ts'
import { fillChats, wordOfRank } from './support/fill-chats.ts'
import { watchTurns } from './support/longest-turn.ts'
import { fillIndex } from './support/fill-index.ts'

const MESSAGES = 1_000_000
const PASSAGES = 100_000
const MESSAGES_PER_CHAT = 20
const OTHER = 'other'
/** Interval in ms at which another user writes a message meanwhile. */
const WRITE_MILLISECONDS = 20
const WRITES_BEFORE = 200
const SEARCHES = 100
const LOOP_RESOLUTION = 5

const processorTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Watches the event loop; the returned function returns its longest delay. */
function watchLoop(): () => number {
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION })
  loop.enable()
  return () => {
    loop.disable()
    return Math.max(0, loop.max / 1e6 - LOOP_RESOLUTION)
  }
}

function addOther({ sqlite }: Storage): void {
  sqlite.exec(
    `insert into user (id, email, name, role, is_first, created_at, updated_at) values ('${OTHER}', 'other@example.org', 'Other', 'user', 0, 1, 1);
     insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, created_at, updated_at)
     values ('${OTHER}', '${OTHER}', 'Chat', '[]', '{}', '[]', '[]', 0, '{}', '{}', '{}', 1, 1)`,
  )
}

/**
 * Creates a writer for another user: at intervals it stores a message with its index entries, as a
 * turn does, and returns the time each took.
 */
function createWriter(storage: Storage) {
  const insert = storage.sqlite.prepare(
    `insert into message (chat_id, id, role, timestamp, content, extra) values ('${OTHER}', ?, 'user', 1, ?, '{}')`,
  )
  const search = new SearchStore(storage)
  let count = 0
  return async (goesOn: () => boolean): Promise<number[]> => {
    const times: number[] = []
    while (goesOn()) {
      await sleep(WRITE_MILLISECONDS)
      const content = `${wordOfRank(count % 500)} ${wordOfRank(count % 77)} written`
      const begun = performance.now()
      await storage.transaction(async () => {
        const { lastInsertRowid } = insert.run(`m${(count += 1)}`, content)
        await search.indexMessage(Number(lastInsertRowid), toOwnerWord(OTHER), toIndexText(content))
      })
      times.push(performance.now() - begun)
    }
    return times
  }
}

function searchOthers({ sqlite }: Storage): number {
  const find = sqlite.prepare(
    'select rowid from message_search where message_search match ? order by rowid desc limit 60',
  )
  const times = Array.from({ length: SEARCHES }, (_, round) => {
    const begun = performance.now()
    find.all(`owner : ${toOwnerWord(OTHER)} and content : ${wordOfRank(round)}`)
    return performance.now() - begun
  })
  return percentile(times, 0.99)
}

const indexBytes = ({ sqlite }: Storage): number =>
  sqlite.prepare<[], number>('select sum(length(block)) from message_search_data').pluck().get()!

/** Deletes with one statement, including the index merges that FTS5 makes by default. */
function deleteAtOnce(file: string, userId: string): { elapsed: number; busy: number } {
  const sqlite = connect(file)
  const problem = addVectorTables(sqlite)
  if (problem !== null) throw new Error(problem)
  for (const index of ['message_search', 'chat_search', 'retrieval_words'])
    sqlite.exec(`insert into ${index} (${index}, rank) values ('deletemerge', 10)`)
  const [begun, busy] = [performance.now(), processorTime()]
  sqlite.exec('begin immediate')
  sqlite.prepare('delete from user where id = ?').run(userId)
  sqlite.exec(
    'delete from retrieval_chunk; delete from retrieval_codes; delete from retrieval_document; delete from retrieval_member',
  )
  for (const { name } of sqlite
    .prepare<[], { name: string }>(
      "select name from sqlite_schema where sql like 'create virtual table%using vec0%'",
    )
    .all())
    sqlite.exec(`delete from ${name}`)
  sqlite.exec('commit')
  const spent = { elapsed: performance.now() - begun, busy: processorTime() - busy }
  sqlite.close()
  return spent
}

async function deleteInSlices(file: string, userId: string) {
  const storage = openStorage({ path: file })
  addOther(storage)
  const write = createWriter(storage)
  let count = 0
  const idle = watchLoop()
  const before = await write(() => (count += 1) <= WRITES_BEFORE)
  const stall = { before: idle(), meanwhile: 0 }
  const search = { before: searchOthers(storage), after: 0 }
  const size = { before: indexBytes(storage), after: 0 }
  const thread = new IndexThread({ database: file, writeTurns: storage.writeTurns })
  const passages = new RetrievalStore(storage)
  const loop = watchLoop()
  const turns = watchTurns()
  const [begun, busy] = [performance.now(), processorTime()]
  let isDone = false
  const writing = write(() => !isDone)
  await storage.transaction(async () => {
    storage.sqlite
      .prepare("update user set deleted_at = 1, email = 'deleted' where id = ?")
      .run(userId)
    await storage.deletions.begin('account', userId)
  })
  await passages.hide(await passages.all())
  thread.purge()
  await sleep(WRITE_MILLISECONDS)
  await storage.deletions.settled()
  while (await passages.hasLeftovers()) await sleep(WRITE_MILLISECONDS)
  isDone = true
  const spent = { elapsed: performance.now() - begun, busy: processorTime() - busy }
  const during = await writing
  stall.meanwhile = loop()
  const processor = turns()
  await thread.close()
  search.after = searchOthers(storage)
  size.after = indexBytes(storage)
  const left = storage.sqlite
    .prepare('select count(*) from message where chat_id <> ?')
    .pluck()
    .get(OTHER) as number
  await storage.deletions.close()
  storage.close()
  if (left > 0) throw new Error(`${left} messages are left.`)
  return { ...spent, before, during, search, size, stall, processor }
}

/** Deletes an account on two copies of a database, one after the other. */
export async function compare(base: string, userId: string): Promise<BenchResult> {
  const copy = `${base}-copy`
  // A copy of the file would lack what is still in its log.
  const filled = connect(base)
  await filled.backup(copy)
  filled.close()
  const once = deleteAtOnce(copy, userId)
  const sliced = await deleteInSlices(base, userId)
  const work = sliced.busy / once.busy
  const rows: BenchRow[] = [
    {
      name: 'work of an account in slices vs one statement',
      value: work,
      unit: 'x',
      hold: '<= 2',
      reached: judgeAtMost(work, { hold: 2, moonshot: 1 }),
    },
    {
      name: 'longest turn of the event loop meanwhile',
      value: sliced.processor,
      unit: 'ms',
      hold: '<= 50',
      reached: judgeAtMost(sliced.processor, { hold: 50, moonshot: 20 }),
    },
    {
      name: 'longest wait of the event loop meanwhile',
      value: sliced.stall.meanwhile,
      unit: 'ms',
      reached: 'shown',
    },
    {
      name: 'longest wait of the event loop before',
      value: sliced.stall.before,
      unit: 'ms',
      reached: 'shown',
    },
    {
      name: "another person's write, p99 before",
      value: percentile(sliced.before, 0.99),
      unit: 'ms',
      reached: 'shown',
    },
    {
      name: "another person's write, p99 meanwhile",
      value: percentile(sliced.during, 0.99),
      unit: 'ms',
      reached: 'shown',
    },
    {
      name: "another person's search, p99 before",
      value: sliced.search.before,
      unit: 'ms',
      reached: 'shown',
    },
    {
      name: "another person's search, p99 after",
      value: sliced.search.after,
      unit: 'ms',
      reached: 'shown',
    },
  ]
  const seconds = (value: number) => (value / 1000).toFixed(1)
  const megabytes = (value: number) => (value / 1e6).toFixed(1)
  return {
    goal: 'P24',
    rows,
    notes: [
      `one statement ${seconds(once.elapsed)} s (${seconds(once.busy)} s of a processor, everybody waits), slices ${seconds(sliced.elapsed)} s (${seconds(sliced.busy)} s)`,
      `slowest of ${sliced.during.length} writes meanwhile ${Math.max(...sliced.during).toFixed(0)} ms; index of words ${megabytes(sliced.size.before)} MB before, ${megabytes(sliced.size.after)} MB after`,
    ],
  }
}

export async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-deletion-'))
  try {
    const base = path.join(folder, 'base.db')
    const { userId } = await fillChats(base, {
      chats: MESSAGES / MESSAGES_PER_CHAT,
      messagesPerChat: MESSAGES_PER_CHAT,
      isOrganised: true,
    })
    const index = await fillIndex(base, PASSAGES, 'deleted')
    index.close()
    return await compare(base, userId)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
