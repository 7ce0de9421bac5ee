// node bench/several-gateways.ts: requests and streams a second with one, two and three gateways
// behind nginx, and the processor time of each; then operations on PostgreSQL beside SQLite. Takes
// about three minutes on a quiet machine. SECONDS and OPERATIONS change the length of the run.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { median } from './bench-result.ts'
import { startNginx } from '../server/testing/start-nginx.ts'
import { findFreePort } from '../server/testing/find-free-port.ts'
import type { GatewayProcess } from '../server/testing/start-process.ts'
import type { call as Call, Reply } from '../server/testing/start-replicas.ts'
import type { FloodAnswer } from './support/driver.ts'
import { DRIVER_CORE, startScript, type Spawned } from './support/spawned.ts'

const SECONDS = Number(process.env['SECONDS'] ?? 12)
const OPERATIONS = Number(process.env['OPERATIONS'] ?? 60)
const WARM_UP_MILLISECONDS = 2000
const CLIENTS = 32
const ANSWERS = 64
const COUNTS = [1, 2, 3]
const PARTS = ['gateways', 'PostgreSQL', 'Redis', 'nginx'] as const
type Part = (typeof PARTS)[number]
type Times = Record<Part, number>
const TICKS_PER_SECOND = 100

const BUILT = path.resolve(import.meta.dirname, '../out/server/index.js')
// Read when the module that starts gateways is loaded: sources take longer to start.
if (existsSync(BUILT)) process.env['GATEWAY_ENTRY'] ??= BUILT
const { call, startReplicas } = await import('../server/testing/start-replicas.ts')

const log = (text: string): void => void process.stdout.write(`${text}\n`)
const show = (value: number): string => value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)

interface FoundProcess {
  readonly pid: number
  readonly parent: number
  readonly command: string
  /** Seconds of processor time, including that of processes it started which have ended. */
  readonly seconds: number
}

/** Returns the processes of the system. */
function listProcesses(): FoundProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [, command = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(text) ?? []
        const fields = rest.split(' ').map(Number)
        const ticks = fields.slice(11, 15).reduce((total, value) => total + value, 0)
        const seconds = ticks / TICKS_PER_SECOND
        return [{ pid: Number(name), parent: fields[1]!, command, seconds }]
      } catch {
        // It has just ended.
        return []
      }
    })
}

function partOf({ pid, command }: FoundProcess, gateways: ReadonlySet<number>): Part | null {
  if (gateways.has(pid)) return 'gateways'
  if (command === 'postgres') return 'PostgreSQL'
  if (command === 'redis-server') return 'Redis'
  return command === 'nginx' ? 'nginx' : null
}

/** Returns the seconds of processor time that the parts below this process have used so far. */
function readTimes(gateways: readonly GatewayProcess[]): Times {
  const all = listProcesses()
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]))
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === process.pid || isBelow(parents.get(pid)))
  const ids = new Set(gateways.map(({ child }) => child.pid!))
  const times: Times = { gateways: 0, PostgreSQL: 0, Redis: 0, nginx: 0 }
  for (const found of all) {
    const part = isBelow(found.pid) ? partOf(found, ids) : null
    if (part) times[part] += found.seconds
  }
  return times
}

/** Writes the milliseconds of processor time that each part used for one call. */
const perCall = (before: Times, after: Times, calls: number): string =>
  PARTS.map((part) => `${part} ${show(((after[part] - before[part]) * 1000) / calls)}`).join(', ')

function toRequest(
  port: number,
  token: string,
  [method, target, body]: Parameters<typeof Call>[2],
) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${method} ${target} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ]
  return { port, request: `${head.join('\r\n')}\r\n\r\n${text}` }
}

interface Field {
  readonly driver: Spawned
  readonly token: string
  readonly gateways: readonly GatewayProcess[]
}

/** Measures one kind of call with the first gateways behind nginx. */
async function flood(
  { driver, token, gateways }: Field,
  port: number,
  { kind, clients, asked }: { kind: string; clients: number; asked: Parameters<typeof Call>[2] },
): Promise<void> {
  const job = { kind: 'flood', target: toRequest(port, token, asked), clients }
  await driver.ask<FloodAnswer>({ ...job, milliseconds: WARM_UP_MILLISECONDS })
  const before = readTimes(gateways)
  const { perSecond, p99 } = await driver.ask<FloodAnswer>({ ...job, milliseconds: SECONDS * 1000 })
  const after = readTimes(gateways)
  log(
    `  ${show(perSecond)} ${kind} a second, 99 % within ${show(p99)} ms; processor in ms for each: ${perCall(before, after, perSecond * SECONDS)}`,
  )
}

async function measureCounts(field: Field): Promise<void> {
  const messages = [{ role: 'user', content: 'Say 20 pieces every 1' }]
  for (const count of COUNTS) {
    const port = await findFreePort()
    const urls = field.gateways.slice(0, count).map(({ url }) => url)
    const nginx = await startNginx({ port, gateways: urls })
    try {
      log(`${count} of ${field.gateways.length} gateways behind nginx`)
      await flood(field, port, {
        kind: 'lists of chats',
        clients: CLIENTS,
        asked: ['GET', '/api/v1/chats/?page=1'],
      })
      await flood(field, port, {
        kind: 'streams of 20 pieces',
        clients: ANSWERS,
        asked: ['POST', '/api/chat/completions', { model: 'cloud-1', stream: true, messages }],
      })
    } finally {
      await nginx.close()
    }
  }
}

const CHAT = {
  title: 'Badgers',
  models: ['cloud-1'],
  history: {
    currentId: 'question',
    messages: {
      question: {
        id: 'question',
        parentId: null,
        childrenIds: [],
        role: 'user',
        content: 'What do badgers eat?',
        timestamp: 1,
        models: ['cloud-1'],
      },
    },
  },
}

/** Operations by their names; each gets the id of a chat. */
const OPERATIONS_BY_NAME: Record<string, (id: string) => Parameters<typeof Call>[2]> = {
  'read the own account': () => ['GET', '/api/v1/auths/'],
  'create a chat': () => ['POST', '/api/v1/chats/new', { chat: CHAT }],
  'read a chat': (id) => ['GET', `/api/v1/chats/${id}`],
  'rename a chat': (id) => ['POST', `/api/v1/chats/${id}`, { chat: { title: 'Renamed' } }],
  'list chats': () => ['GET', '/api/v1/chats/?page=1'],
  'search chats': () => ['GET', '/api/v1/chats/search?text=badgers'],
  'answer a question': () => [
    'POST',
    '/api/chat/completions',
    { model: 'cloud-1', messages: [{ role: 'user', content: 'Say 1 pieces every 0' }] },
  ],
}

interface Place {
  readonly gateway: GatewayProcess
  readonly token: string
  readonly chat: string
}

async function make(place: Place, asked: Parameters<typeof Call>[2]): Promise<number> {
  const began = performance.now()
  const reply: Reply = await call(place.gateway, place.token, asked)
  if (reply.status !== 200) throw new Error(`${asked[1]}: ${JSON.stringify(reply.body)}`)
  return performance.now() - began
}

/** Alternates between the two databases, so that both meet the same machine. */
async function compareDatabases(sqlite: Place, postgres: Place): Promise<void> {
  log('one call at a time, median in ms')
  for (const [name, toCall] of Object.entries(OPERATIONS_BY_NAME)) {
    const found = { sqlite: [] as number[], postgres: [] as number[] }
    for (let round = 0; round < OPERATIONS; round += 1) {
      found.sqlite.push(await make(sqlite, toCall(sqlite.chat)))
      found.postgres.push(await make(postgres, toCall(postgres.chat)))
    }
    const [ofFile, ofServer] = [median(found.sqlite), median(found.postgres)]
    log(
      `  ${name}: SQLite ${show(ofFile)}, PostgreSQL ${show(ofServer)}, ratio ${show(ofServer / ofFile)}`,
    )
  }
}

const world = await startReplicas()
const driver = await startScript('driver.ts', DRIVER_CORE)
try {
  const gateways: GatewayProcess[] = []
  for (const _ of COUNTS) gateways.push(await world.start({ TRUSTED_PROXIES: '127.0.0.1' }))
  const token = await world.sign(gateways[0]!, 'Ada')
  const chat = await world.newChat(gateways[0]!, token, 'What do badgers eat?')
  await measureCounts({ driver, token, gateways })
  const alone = await world.start({ DATABASE_URL: 'sqlite:', REDIS_URL: '' })
  const ofFile = await world.sign(alone, 'Ada')
  await compareDatabases(
    {
      gateway: alone,
      token: ofFile,
      chat: await world.newChat(alone, ofFile, 'What do badgers eat?'),
    },
    { gateway: gateways[0]!, token, chat },
  )
} finally {
  await driver.stop()
  await world.close()
}
