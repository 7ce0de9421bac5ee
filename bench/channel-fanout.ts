import { createHash, randomUUID } from 'node:crypto'
import { mapInOrder } from '../server/lib/in-order.ts'
import { createLogger } from '../server/lib/logger.ts'
import { openStorage } from '../server/storage/index.ts'
import { Users } from '../server/users/index.ts'
import { judgeAtMost, median, type BenchResult } from './bench-result.ts'
import { runRound } from './gateway-streams.ts'
import { microseconds } from './support/clock.ts'
import type { BenchGateway } from './support/gateway.ts'
import { startRelayField } from './support/relay-field.ts'
import type { CollectAnswer } from './support/socket-clients.ts'
import { cpuSeconds, DRIVER_CORE, startScript, type Spawned } from './support/spawned.ts'

export const goals = ['P29']

const ROUNDS = 5
const MEMBERS = 1000
/**
 * Messages per second: a few, and enough for as many deliveries as there are frames in the streams
 * they are compared with.
 */
const SINGLE = 4
const BUSY = 20
const MILLISECONDS = 3000

interface Member {
  readonly id: string
  readonly key: string
}

/** Creates accounts with a key each in the database of a gateway that has not been started yet. */
async function createMembers(path: string): Promise<Member[]> {
  const storage = openStorage({ path })
  try {
    storage.sqlite.pragma('synchronous = OFF')
    const users = new Users({ storage, log: createLogger('silent') })
    const insert = storage.sqlite.prepare(
      "insert into api_key (id, user_id, name, secret_hash, hint, created_at) values (?, ?, 'socket', ?, 'sk-…', 1)",
    )
    return await storage.transaction(() =>
      mapInOrder(Array.from({ length: MEMBERS }).keys(), async (place) => {
        const { id } = await users.create({
          name: `Member ${place}`,
          email: `member${place}@localhost.test`,
          role: 'user',
        })
        const key = `sk-${String(place).padStart(43, 'm')}`
        insert.run(randomUUID(), id, createHash('sha256').update(key).digest())
        return { id, key }
      }),
    )
  } finally {
    storage.close()
  }
}

interface Round extends CollectAnswer {
  readonly sent: number
  readonly cpu: number
  readonly microsecondsPerDelivery: number
}

interface Rounds {
  readonly single: Round[]
  readonly busy: Round[]
  readonly streams: Awaited<ReturnType<typeof runRound>>[]
}

/** Posts messages evenly over time and waits until no more frames arrive. */
async function runChannel(
  gateway: BenchGateway,
  clients: Spawned,
  { channelId, perSecond }: { channelId: string; perSecond: number },
): Promise<Round> {
  const path = `/api/v1/channels/${channelId}/messages/post`
  const sent = (perSecond * MILLISECONDS) / 1000
  const before = cpuSeconds(gateway.pid) ?? Number.NaN
  const begun = performance.now()
  const replies: Promise<unknown>[] = []
  for (let each = 0; each < sent; each += 1) {
    replies.push(gateway.call('POST', path, { content: `@${microseconds()}@` }))
    await new Promise((resolve) =>
      setTimeout(resolve, Math.max(0, begun + ((each + 1) * 1000) / perSecond - performance.now())),
    )
  }
  await Promise.all(replies)
  const seconds = (performance.now() - begun) / 1000
  const answer = await clients.ask<CollectAnswer>({ kind: 'collect' })
  const used = (cpuSeconds(gateway.pid) ?? Number.NaN) - before
  return {
    ...answer,
    sent,
    cpu: used / seconds,
    microsecondsPerDelivery: (used * 1_000_000) / answer.deliveries,
  }
}

/**
 * P29: delivers one channel message to a thousand members with a window each, compared with as many
 * stream frames in the same run.
 */
export async function run(): Promise<BenchResult> {
  let members: Member[] = []
  const field = await startRelayField({
    gateway: {
      async prepare(database) {
        members = await createMembers(database)
      },
      environment: {
        ENABLE_CHANNELS: 'true',
        ENABLE_SIGNUP: 'true',
        DEFAULT_USER_ROLE: 'admin',
        USER_PERMISSIONS_FEATURES_API_KEYS: 'true',
      },
    },
  })
  const clients = await startScript('socket-clients.ts', DRIVER_CORE)
  try {
    const { gateway } = field
    const user_ids = members.map(({ id }) => id)
    const { id } = await gateway.call<{ id: string }>('POST', '/api/v1/channels/create', {
      name: 'all',
      type: 'group',
      user_ids,
    })
    await clients.ask({
      kind: 'open',
      port: gateway.port,
      sockets: MEMBERS,
      tokens: members.map(({ key }) => key),
    })
    const rounds: Rounds = { single: [], busy: [], streams: [] }
    for (let round = -1; round < ROUNDS; round += 1) {
      const single = await runChannel(gateway, clients, { channelId: id, perSecond: SINGLE })
      const busy = await runChannel(gateway, clients, { channelId: id, perSecond: BUSY })
      const streams = await runRound(field, 'gateway')
      if (round < 0) continue
      rounds.single.push(single)
      rounds.busy.push(busy)
      rounds.streams.push(streams)
    }
    return judge(rounds)
  } finally {
    await Promise.all([field.stop(), clients.stop()])
  }
}

function judge({ single, busy, streams }: Rounds): BenchResult {
  const lost = [...single, ...busy].reduce(
    (sum, round) => sum + round.sent * MEMBERS - round.deliveries,
    0,
  )
  const middle = <Key extends string>(
    rounds: readonly Readonly<Record<Key, number>>[],
    key: Key,
  ): number => median(rounds.map((each) => each[key]))
  const p99 = middle(single, 'p99')
  const cpu = middle(busy, 'cpu')
  const relative = middle(busy, 'microsecondsPerDelivery') / middle(streams, 'microsecondsPerFrame')
  const late = p99 / middle(streams, 'p99')
  const times = (
    rounds: readonly { readonly p50: number; readonly p99: number; readonly cpu: number }[],
  ): string =>
    `p50 ${middle(rounds, 'p50').toFixed(1)} ms, p99 ${middle(rounds, 'p99').toFixed(1)} ms, ${middle(rounds, 'cpu').toFixed(2)} core`
  return {
    goal: 'P29',
    rows: [
      {
        name: `frames lost, ${MEMBERS} members`,
        value: lost,
        unit: '',
        hold: 0,
        reached: lost === 0 ? 'moonshot' : 'missed',
      },
      {
        name: 'p99 from the post to all windows vs a frame of streams',
        value: late,
        unit: 'x',
        hold: '<= 1.5',
        moonshot: '<= 1',
        reached: judgeAtMost(late, { hold: 1.5, moonshot: 1 }),
      },
      {
        name: `share of one core, ${BUSY} messages/s`,
        value: cpu,
        unit: 'core',
        hold: '<= 0.9',
        moonshot: '<= 0.4',
        reached: judgeAtMost(cpu, { hold: 0.9, moonshot: 0.4 }),
      },
      {
        name: 'processor time of a delivery vs a frame of streams',
        value: relative,
        unit: 'x',
        hold: '<= 1.3',
        moonshot: '<= 1',
        reached: judgeAtMost(relative, { hold: 1.3, moonshot: 1 }),
      },
    ],
    notes: [
      `${SINGLE} messages/s: ${times(single)}`,
      `${BUSY} messages/s: ${times(busy)}, ${middle(busy, 'microsecondsPerDelivery').toFixed(1)} µs per delivery`,
      `1,000 streams of 20 frames/s: ${times(streams)}, ${middle(streams, 'microsecondsPerFrame').toFixed(1)} µs per frame`,
    ],
  }
}
