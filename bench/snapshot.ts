import Sqlite from 'better-sqlite3'
import { randomBytes } from 'node:crypto'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { judgeAtMost, percentile, type BenchResult, type BenchRow } from './bench-result.ts'
import { startMeasuredGateway, type MeasuredGateway } from './support/measured-gateway.ts'

const DATABASE_BYTES = Number(process.env['SNAPSHOT_MEGABYTES'] ?? 800) * 1e6
const UPLOADS = 20
const UPLOAD_BYTES = 10_000_000
const MESSAGE_BYTES = 4000
const MESSAGES_IN_A_CHAT = 100
/** Interval in ms at which another user writes a message meanwhile. */
const WRITE_MILLISECONDS = 50
const QUIET_MILLISECONDS = 15_000
/** Number of chats changed before the second snapshot. */
const CHANGED_CHATS = 20

async function post<Answer>(
  { url, headers }: MeasuredGateway,
  target: string,
  body: unknown = {},
): Promise<Answer> {
  const reply = await fetch(`${url}/api/v1/${target}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${target}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as Answer
}

/** Returns a text of which half can be compressed, as in real ones. */
const createText = (): string => {
  const word = randomBytes(MESSAGE_BYTES / 4).toString('hex')
  return word + word
}

/** Fills the data folder directly, while the gateway is idle. */
function fill({ dataDir }: MeasuredGateway): number {
  const database = path.join(dataDir, 'chat-gateway.db')
  const sqlite = new Sqlite(database, { timeout: 60_000 })
  const user = sqlite.prepare('select id from user').pluck().get() as string
  const addChat = sqlite.prepare(
    `insert into chat (id, user_id, title, models, params, files, tags, timestamp, extra, history_extra, meta, created_at, updated_at)
     values (?, ?, 'Filled', '[]', '{}', '[]', '[]', 0, '{}', '{}', '{}', 1, 1)`,
  )
  const addMessage = sqlite.prepare(
    "insert into message (chat_id, id, role, timestamp, content, extra) values (?, ?, 'user', 1, ?, '{}')",
  )
  const chats = Math.ceil(DATABASE_BYTES / MESSAGE_BYTES / MESSAGES_IN_A_CHAT)
  for (let chat = 0; chat < chats; chat += 1) {
    sqlite.transaction(() => {
      addChat.run(`filled-${chat}`, user)
      for (let message = 0; message < MESSAGES_IN_A_CHAT; message += 1)
        addMessage.run(`filled-${chat}`, String(message), createText())
    })()
  }
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
  for (let upload = 0; upload < UPLOADS; upload += 1) {
    const folder = path.join(dataDir, 'uploads', `a${upload % 10}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, `a${upload % 10}-${upload}`), randomBytes(UPLOAD_BYTES))
  }
  return statSync(database).size + UPLOADS * UPLOAD_BYTES
}

/** Writes another user's messages, one after the other; returns the time each took. */
async function write(gateway: MeasuredGateway, goesOn: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (goesOn()) {
    await sleep(WRITE_MILLISECONDS)
    const begun = performance.now()
    await post(gateway, 'chats/new', { chat: { title: `Written ${times.length}` } })
    times.push(performance.now() - begun)
  }
  return times
}

async function measure<Result>(gateway: MeasuredGateway, work: () => Promise<Result>) {
  gateway.begin()
  let isDone = false
  const writing = write(gateway, () => !isDone)
  const begun = performance.now()
  const result = await work()
  const elapsed = performance.now() - begun
  isDone = true
  const writes = await writing
  return { result, elapsed, writes, loop: await gateway.end() }
}

interface Taken {
  readonly bytes: number
  readonly added_bytes: number
}

const shown = (name: string, value: number, unit = 'ms'): BenchRow => ({
  name,
  value,
  unit,
  reached: 'shown',
})

/** P36: takes snapshots of a data folder of a gigabyte while another user works. */
export async function run(): Promise<BenchResult> {
  const gateway = await startMeasuredGateway('http://127.0.0.1:9', {
    environment: { ENABLE_TIME_MACHINE: 'false', TIME_MACHINE_BUDGET: '100000' },
  })
  try {
    const bytes = fill(gateway)
    const quiet = await measure(gateway, () => sleep(QUIET_MILLISECONDS))
    const take = () => post<Taken>(gateway, 'snapshots/')
    const first = await measure(gateway, take)
    const sqlite = new Sqlite(path.join(gateway.dataDir, 'chat-gateway.db'), { timeout: 60_000 })
    for (let chat = 0; chat < CHANGED_CHATS; chat += 1)
      sqlite
        .prepare('update message set content = ? where chat_id = ? and id = ?')
        .run(createText(), `filled-${chat}`, '0')
    sqlite.close()
    const second = await measure(gateway, take)
    const processor = Math.max(first.loop.processor, second.loop.processor)
    const megabytes = (value: number): string => (value / 1e6).toFixed(0)
    return {
      goal: 'P36',
      rows: [
        {
          name: 'processor time of the longest turn while a snapshot is made',
          value: processor,
          unit: 'ms',
          hold: '<= 50',
          reached: judgeAtMost(processor, { hold: 50, moonshot: 20 }),
        },
        shown('the same, nothing being made', quiet.loop.processor),
        shown('longest wait of the event loop, nothing being made', quiet.loop.max),
        shown('longest wait of the event loop, first snapshot', first.loop.max),
        shown('longest wait of the event loop, second snapshot', second.loop.max),
        shown('p99 of the wait, first snapshot', first.loop.p99),
        shown("another person's write, p99, nothing being made", percentile(quiet.writes, 0.99)),
        shown("another person's write, p99, first snapshot", percentile(first.writes, 0.99)),
        shown('first snapshot', first.elapsed / 1000, 's'),
        shown('second snapshot', second.elapsed / 1000, 's'),
        shown('second snapshot added', second.result.added_bytes / 1e6, 'MB'),
      ],
      notes: [
        `${megabytes(bytes)} MB of data; the first snapshot stands for ${megabytes(first.result.bytes)} MB and took ${megabytes(first.result.added_bytes)} MB; ${first.writes.length} writes meanwhile, the slowest ${Math.max(...first.writes).toFixed(0)} ms`,
      ],
    }
  } finally {
    await gateway.stop()
  }
}
