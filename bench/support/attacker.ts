// One ordinary account that attacks the gateway: each attack runs until its time is over, on
// loopback only.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface AttackJob {
  readonly attack: string
  readonly port: number
  readonly token: string
  /** A chat of the account and a message in it. */
  readonly chatId: string
  readonly messageId: string
  readonly milliseconds: number
}
/** Number of replies by status; `ready` or a close code for sockets, `held` without a reply. */
export interface AttackAnswer {
  readonly replies: Record<string, number>
}

const MEBIBYTE = 1024 * 1024
const SLOW_BODIES = 100
/** Start of a slow body: all of them together exceed what one account may hold. */
const SLOW_BODY_START = 4 * MEBIBYTE
const SOCKETS = 500
/** Time in ms a request may continue once the time of its attack is over. */
const GRACE_MILLISECONDS = 500
/** Time limit in ms for connections that have no effect. */
const LONGEST_HOLD_MILLISECONDS = 30_000
const LONG_NAMES = 40

interface Attack {
  readonly job: AttackJob
  readonly isOver: () => boolean
  /** Aborts requests that have no reply long after the time is over. */
  readonly signal: AbortSignal
  count(reply: string | number): void
}

async function ask(attack: Attack, path: string, init: RequestInit): Promise<void> {
  try {
    const response = await fetch(`http://127.0.0.1:${attack.job.port}${path}`, {
      ...init,
      signal: attack.signal,
    })
    await response.arrayBuffer()
    attack.count(response.status)
  } catch (error) {
    attack.count(attack.signal.aborted ? 'held' : (error as Error).name)
  }
}

const post = (
  attack: Attack,
  path: string,
  body: string | FormData,
  isSignedIn = true,
): Promise<void> =>
  ask(attack, path, {
    method: 'POST',
    headers: {
      ...(isSignedIn && { Authorization: `Bearer ${attack.job.token}` }),
      ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
    },
    body,
  })

const get = (attack: Attack, path: string): Promise<void> =>
  ask(attack, path, { headers: { Authorization: `Bearer ${attack.job.token}` } })

/** Runs the given number of calls at a time, one after another until the time is over. */
async function repeat(attack: Attack, lanes: number, call: () => Promise<void>): Promise<void> {
  const lane = async () => {
    while (!attack.isOver()) await call()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

interface Held {
  /** First bytes of every connection. */
  readonly start: Buffer
  /** Bytes written every 100 ms to connections that have no reply yet. */
  readonly drip?: Buffer
  /** Parses a reply; null while there are too few bytes. */
  readonly read: (bytes: Buffer) => string | number | null
}

/**
 * Counts the reply of a connection; without one it is `broken` or, in the end, `held`, and `ready`
 * for a socket.
 */
function countReply(
  attack: Attack,
  socket: Socket,
  read: Held['read'],
): { isAnswered: () => boolean; end: () => void } {
  let gathered: Buffer | null = Buffer.alloc(0)
  const settle = (reply: string | number) => {
    if (gathered) attack.count(reply)
    gathered = null
  }
  socket.on('data', (bytes) => {
    if (!gathered) return
    gathered = Buffer.concat([gathered, bytes])
    const reply = read(gathered)
    if (reply !== null) settle(reply)
  })
  socket.on('error', () => settle('broken')).on('close', () => settle('broken'))
  const end = () => {
    settle(gathered?.includes(READY) ? 'ready' : 'held')
    socket.destroy()
  }
  return { isAnswered: () => gathered === null, end }
}

/**
 * Opens connections and keeps them until the time is over and at least one was refused: on a slow
 * machine the gateway may need longer to read more than an account may hold, and the attack would
 * end before it had an effect.
 */
async function hold(attack: Attack, amount: number, { start, drip, read }: Held): Promise<void> {
  const open: (ReturnType<typeof countReply> & { socket: Socket })[] = []
  const latest = performance.now() + LONGEST_HOLD_MILLISECONDS
  const isOver = () =>
    performance.now() > latest ||
    (attack.isOver() && open.length === amount && open.some(({ isAnswered }) => isAnswered()))
  for (let opened = 0; opened < amount && !isOver(); opened += 1) {
    const socket = connect({ port: attack.job.port, host: '127.0.0.1' })
    open.push({ socket, ...countReply(attack, socket, read) })
    socket.write(start)
    if (opened % 50 === 49) await sleep(20)
  }
  while (!isOver()) {
    await sleep(100)
    if (drip)
      for (const { socket, isAnswered } of open)
        if (socket.writableLength === 0 && !isAnswered()) socket.write(drip)
  }
  for (const { end } of open) end()
}

const readStatus = (bytes: Buffer): string | null =>
  bytes.length < 12 ? null : bytes.toString('latin1', 9, 12)

const CLOSE_FRAME = 0x88
/** Maximum number of bytes of a reply that are parsed; a socket that sends more is open. */
const MOST_READ = 4096
const READY = '"type":"ready"'

/**
 * Returns the code a socket was closed with; an account with too many sockets receives `ready` on
 * each before it is closed.
 */
function readUpgrade(bytes: Buffer): string | number | null {
  const head = bytes.indexOf('\r\n\r\n')
  if (head === -1) return null
  if (readStatus(bytes) !== '101') return readStatus(bytes)
  if (bytes.length > MOST_READ) return 'ready'
  for (let at = head + 4; bytes.length >= at + 4;) {
    if (bytes[at] === CLOSE_FRAME) return bytes.readUInt16BE(at + 2)
    const length = bytes[at + 1]!
    at += length < 126 ? 2 + length : 4 + bytes.readUInt16BE(at + 2)
  }
  return null
}

const head = ({ port, token }: AttackJob, start: string, ...lines: string[]): string =>
  [
    `${start} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    ...lines,
    '',
    '',
  ].join('\r\n')

const upgrade = (job: AttackJob): Held => ({
  read: readUpgrade,
  start: Buffer.from(
    head(
      job,
      'GET /ws',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ),
  ),
})

const slowBody = (job: AttackJob): Held => ({
  read: readStatus,
  start: Buffer.concat([
    Buffer.from(
      head(
        job,
        'POST /api/chat/completions',
        'Content-Type: application/json',
        `Content-Length: ${64 * MEBIBYTE}`,
      ),
    ),
    Buffer.alloc(SLOW_BODY_START, 'x').fill('{"x":"', 0, 6),
  ]),
  drip: Buffer.alloc(1024, 'x'),
})

const wide = (values: number): string =>
  `{"model":"bench-text","messages":[{"role":"user","content":"x"}],"more":[${'{},'.repeat(values)}{}]}`
const faulty = (values: number): string =>
  `{"model":"bench-text","messages":[${'{},'.repeat(values)}{}]}`
const WIDE = { allowed: wide(240_000), refused: wide(6_500_000), faulty: faulty(240_000) }
const DEEP = `{"model":"bench-text","messages":[${'['.repeat(MEBIBYTE)}${']'.repeat(MEBIBYTE)}]}`
const CHAT = JSON.stringify({
  chat: {
    title: 'Attack',
    history: {
      messages: Object.fromEntries(
        Array.from({ length: 2000 }, (_, index) => [
          `m${index}`,
          { role: 'user', content: 'words '.repeat(40) },
        ]),
      ),
    },
  },
})

function toForm(bytes: number, name: string): FormData {
  const form = new FormData()
  form.append('file', new Blob([Buffer.alloc(bytes, 'words of a file ')]), name)
  return form
}

/**
 * Uploads names that match every part of the pattern except its end, so that all ways to split the
 * name are tried.
 */
async function searchLongNames(attack: Attack): Promise<void> {
  for (let count = 0; count < LONG_NAMES && !attack.isOver(); count += 1)
    await post(attack, UPLOAD, toForm(16, `${'a'.repeat(200)}.txt`))
  const path = `/api/v1/files/search?filename=${encodeURIComponent(`${'*a'.repeat(100)}*b`)}`
  await repeat(attack, 4, () => get(attack, path))
}

const UPLOAD = '/api/v1/files/?process=false'
/**
 * A phrase that may start at every position of every message of the chats stored by `large chats`.
 */
const SEARCH = `/api/v1/chats/search?text=${encodeURIComponent(`"${'words '.repeat(7)}words"`)}`

const ATTACKS: Readonly<Record<string, (attack: Attack) => Promise<void>>> = {
  'deep JSON': (attack) => repeat(attack, 4, () => post(attack, '/api/chat/completions', DEEP)),
  'wide JSON that is refused': (attack) =>
    repeat(attack, 3, () => post(attack, '/api/chat/completions', WIDE.refused)),
  'wide JSON that is allowed': (attack) =>
    repeat(attack, 3, () => post(attack, '/api/chat/completions', WIDE.allowed)),
  'wide JSON full of faults': (attack) =>
    repeat(attack, 3, () => post(attack, '/api/chat/completions', WIDE.faulty)),
  'large chats': (attack) => repeat(attack, 2, () => post(attack, '/api/v1/chats/new', CHAT)),
  'slow bodies': (attack) => hold(attack, SLOW_BODIES, slowBody(attack.job)),
  'many sockets': (attack) => hold(attack, SOCKETS, upgrade(attack.job)),
  'many sign-ins': (attack) =>
    repeat(attack, 16, () =>
      post(
        attack,
        '/api/v1/auths/signin',
        JSON.stringify({ email: 'nobody@localhost.test', password: 'x' }),
        false,
      ),
    ),
  'huge events to many sockets': async (attack) => {
    const { chatId, messageId } = attack.job
    const event = JSON.stringify({
      type: 'notification',
      data: { content: 'x'.repeat(3.9 * MEBIBYTE) },
    })
    await Promise.all([
      hold(attack, SOCKETS, upgrade(attack.job)),
      repeat(attack, 2, () =>
        post(attack, `/api/v1/chats/${chatId}/messages/${messageId}/event`, event),
      ),
    ])
  },
  'costly patterns': searchLongNames,
  'many uploads': (attack) =>
    repeat(attack, 4, () => post(attack, UPLOAD, toForm(4 * MEBIBYTE, 'attack.txt'))),
  'costly searches': (attack) => repeat(attack, 4, () => get(attack, SEARCH)),
}

async function run(job: AttackJob): Promise<AttackAnswer> {
  const replies: Record<string, number> = {}
  const end = performance.now() + job.milliseconds
  await ATTACKS[job.attack]!({
    job,
    isOver: () => performance.now() > end,
    signal: AbortSignal.timeout(job.milliseconds + GRACE_MILLISECONDS),
    count: (reply) => void (replies[String(reply)] = (replies[String(reply)] ?? 0) + 1),
  })
  return { replies }
}

if (process.send) {
  process.on('message', (job: AttackJob) => void run(job).then((answer) => process.send!(answer)))
  process.on('disconnect', () => process.exit(0))
  process.send({ port: 0 })
}
