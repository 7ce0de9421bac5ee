// node bench/replica-faults.ts: three gateways behind nginx under load, while they, PostgreSQL and
// Redis are paused and cut off at random. Reports what was lost, stored twice or shown twice; exits
// with 1 if anything was. FAULTS, LONGEST_PAUSE (seconds), STREAMS, SEED and PARTS change the run.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  call,
  isEndOf,
  openWindow,
  type Frame,
  type Window,
} from '../server/testing/start-replicas.ts'
import type { GatewayProcess } from '../server/testing/start-process.ts'
import { startThree, type ThreeGateways } from '../server/testing/start-three.ts'

const numberOf = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)
const FAULTS = numberOf('FAULTS', 20)
const LONGEST_PAUSE = numberOf('LONGEST_PAUSE', 60)
const STREAMS = numberOf('STREAMS', 200)
const SEED = numberOf('SEED', 19)
const PARTS = (
  process.env['PARTS'] ?? 'gateway,gateway,PostgreSQL,Redis,cut PostgreSQL,cut Redis'
).split(',')
const WRITERS = 4
const PIECES = 12
const CONTENT = `Say ${PIECES} pieces every 1000`
const WHOLE = Array.from({ length: PIECES }, (_, index) => `piece ${index}. `).join('')
const GIVEN_UP_MILLISECONDS = 90_000
const REST_MILLISECONDS = 2000

/** Returns the same numbers between 0 and 1 for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const log = (text: string): void => void process.stdout.write(`${text}\n`)

/** Writes that the gateways acknowledged. */
class Journal {
  readonly memories = new Set<string>()
  readonly messages = new Set<string>()
  /** Chats whose answer was started. */
  readonly begun = new Set<string>()
  /** Chats whose complete answer was seen by a window. */
  readonly ended = new Set<string>()
  refused = 0
}

/** Counts frames that windows should not have received, and gaps between frames. */
class Watch {
  twice = 0
  gaps = 0
  deltas = 0
  readonly #lengths = new Map<string, number>()
  readonly #seen = new Set<string>()

  take(frame: Frame): void {
    if (frame.type === 'events:channel' && frame.data.type === 'message') {
      if (this.#seen.has(frame.data.data.id)) this.twice += 1
      this.#seen.add(frame.data.data.id)
    }
    if (frame.data?.type !== 'chat:message:delta') return
    this.deltas += 1
    const { offset, content } = frame.data.data as { offset: number; content: string }
    const known = this.#lengths.get(frame.chat_id) ?? 0
    if (offset < known) this.twice += 1
    if (offset > known) this.gaps += 1
    this.#lengths.set(frame.chat_id, Math.max(known, offset + content.length))
  }
}

interface Run {
  readonly three: ThreeGateways
  readonly token: string
  readonly channel: string
  readonly windows: readonly Window[]
  readonly journal: Journal
  isOver: boolean
}

const within = <Result>(work: Promise<Result>): Promise<Result | null> =>
  Promise.race([work, sleep(GIVEN_UP_MILLISECONDS, null, { ref: false })])

/** Repeats the work until the run is over; content that failed is not retried. */
async function repeat(run: Run, work: () => Promise<boolean>): Promise<void> {
  while (!run.isOver) {
    const isDone = await within(work().catch(() => false))
    if (isDone) continue
    run.journal.refused += 1
    await sleep(500)
  }
}

let last = 0
const newText = (): string => `text ${(last += 1)}`

async function remember({ three, token, journal }: Run): Promise<boolean> {
  const content = newText()
  const reply = await call(three.nginx, token, ['POST', '/api/v1/memories/add', { content }])
  if (reply.status === 200) journal.memories.add(content)
  await sleep(50)
  return reply.status === 200
}

async function post({ three, token, channel, journal }: Run): Promise<boolean> {
  const content = newText()
  const target = `/api/v1/channels/${channel}/messages/post`
  const reply = await call(three.nginx, token, ['POST', target, { content }])
  if (reply.status === 200) journal.messages.add(content)
  await sleep(100)
  return reply.status === 200
}

async function answer({ three, token, windows, journal }: Run): Promise<boolean> {
  const chat = await three.world.newChat(three.nginx, token, CONTENT)
  const { session } = windows[journal.begun.size % windows.length]!
  const question = { chat, content: CONTENT, session }
  if ((await three.world.ask(three.nginx, token, question)).status !== 200) return false
  journal.begun.add(chat)
  const deadline = performance.now() + 2 * PIECES * 1000
  while (performance.now() < deadline && !journal.ended.has(chat)) await sleep(500)
  return true
}

/** Prints the last output of a gateway that ended unexpectedly. */
function tellOfEnd({ child, url }: GatewayProcess): void {
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-2000)))
  child.once('exit', (code, signal) => {
    if (signal === null) log(`  the gateway at ${url} ended with ${code}: ${said}`)
  })
}

/** Pauses or cuts off one of the parts once. */
async function fault({ world, gateways }: ThreeGateways, random: () => number): Promise<string> {
  const seconds = 1 + random() * (LONGEST_PAUSE - 1)
  const part = PARTS[Math.floor(random() * PARTS.length)]!
  const place = Math.floor(random() * gateways.length)
  const said = `${part}${part === 'gateway' ? ` ${place + 1}` : ''}, ${seconds.toFixed(1)} s`
  log(`  ${said}`)
  const wait = (): Promise<void> => sleep(seconds * 1000)
  switch (part) {
    case 'gateway':
      gateways[place]!.child.kill('SIGSTOP')
      await wait()
      gateways[place]!.child.kill('SIGCONT')
      break
    case 'PostgreSQL':
      world.postgres.pause()
      await wait()
      world.postgres.goOn()
      break
    case 'Redis':
      world.redis.pause()
      await wait()
      world.redis.goOn()
      break
    case 'cut PostgreSQL':
      await world.postgres.end('SIGKILL')
      await wait()
      await world.postgres.start()
      break
    default:
      await world.stopRedis()
      await wait()
      await world.startRedisAgain()
  }
  return said
}

/** Counts how often each text is stored. */
async function countTexts(database: pg.Client, table: string): Promise<Map<string, number>> {
  const { rows } = await database.query<{ content: string; count: number }>(
    `select content, count(*)::int as count from ${table} group by content`,
  )
  return new Map(rows.map(({ content, count }) => [content, count]))
}

const judge = (stored: ReadonlyMap<string, number>, acknowledged: ReadonlySet<string>) => ({
  lost: [...acknowledged].filter((text) => !stored.has(text)).length,
  twice: [...stored.values()].filter((count) => count > 1).length,
})

async function judgeAnswers(database: pg.Client, { begun, ended }: Journal) {
  const { rows } = await database.query<{ chat_id: string; content: string; running: number }>(
    "select chat_id, content, running::int as running from message where id = 'answer'",
  )
  const stored = new Map(rows.map((row) => [row.chat_id, row]))
  return {
    missing: [...begun].filter((chat) => !stored.has(chat)).length,
    endedButNotWhole: [...ended].filter((chat) => stored.get(chat)?.content !== WHOLE).length,
    garbled: rows.filter(({ content }) => !WHOLE.startsWith(content)).length,
    running: rows.filter(({ running }) => running === 1).length,
    runningUnasked: rows.filter(({ running, chat_id }) => running === 1 && !begun.has(chat_id))
      .length,
    whole: rows.filter(({ content }) => content === WHOLE).length,
  }
}

async function run(): Promise<boolean> {
  const random = createRandom(SEED)
  const three = await startThree()
  try {
    for (const gateway of three.gateways) tellOfEnd(gateway)
    const token = await three.world.sign(three.gateways[0]!, 'Ada')
    const made = { name: 'Team', type: 'group', user_ids: [] }
    const channel = (await call(three.nginx, token, ['POST', '/api/v1/channels/create', made])).body
    const windows = await Promise.all(three.gateways.map((each) => openWindow(each, token)))
    const journal = new Journal()
    const watches = windows.map(({ socket }) => {
      const watch = new Watch()
      socket.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as Frame
        watch.take(frame)
        if (isEndOf()(frame) && !frame.data.data.error) journal.ended.add(frame.chat_id)
      })
      return watch
    })
    const state: Run = { three, token, channel: channel.id, windows, journal, isOver: false }
    const working = [
      ...Array.from({ length: STREAMS }, () => repeat(state, () => answer(state))),
      ...Array.from({ length: WRITERS }, () => repeat(state, () => remember(state))),
      ...Array.from({ length: WRITERS }, () => repeat(state, () => post(state))),
    ]
    await sleep(15_000)
    log(`${FAULTS} faults of up to ${LONGEST_PAUSE} s, seed ${SEED}, ${STREAMS} streams`)
    for (let count = 0; count < FAULTS; count += 1) {
      await fault(three, random)
      await sleep(REST_MILLISECONDS + random() * REST_MILLISECONDS)
    }
    state.isOver = true
    await Promise.all(working)
    return await report(three, { journal, watches })
  } finally {
    await three.close()
  }
}

async function report(
  { world, gateways }: ThreeGateways,
  { journal, watches }: { journal: Journal; watches: readonly Watch[] },
): Promise<boolean> {
  const database = new pg.Client(world.address)
  await database.connect()
  try {
    const deadline = performance.now() + 60_000
    let answers = await judgeAnswers(database, journal)
    while (answers.running > 0 && performance.now() < deadline) {
      await sleep(500)
      answers = await judgeAnswers(database, journal)
    }
    const memories = judge(await countTexts(database, 'memory'), journal.memories)
    const messages = judge(await countTexts(database, 'channel_message'), journal.messages)
    const twice = watches.reduce((total, watch) => total + watch.twice, 0)
    const died = gateways.filter(({ child }) => child.exitCode !== null).length
    log(
      `acknowledged: ${journal.memories.size} memories, ${journal.messages.size} messages, ${journal.begun.size} answers begun, ${journal.ended.size} seen to end whole`,
    )
    log(`refused or cut: ${journal.refused}; gateways that ended: ${died}`)
    log(`memories ${JSON.stringify(memories)}, messages ${JSON.stringify(messages)}`)
    log(`answers ${JSON.stringify(answers)}`)
    for (const [place, { deltas, gaps, twice: again }] of watches.entries())
      log(`window ${place + 1}: ${deltas} pieces, ${gaps} gaps, ${again} twice`)
    const faults = [
      memories.lost,
      memories.twice,
      messages.lost,
      messages.twice,
      answers.missing,
      answers.endedButNotWhole,
      answers.garbled,
      answers.running,
      twice,
      died,
    ]
    return faults.every((count) => count === 0)
  } finally {
    await database.end()
  }
}

const isGood = await run()
log(isGood ? 'nothing was lost, and nothing came twice' : 'something was lost or came twice')
process.exit(isGood ? 0 : 1)
