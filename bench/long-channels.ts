import { setTimeout as sleep } from 'node:timers/promises'
import { mapInOrder } from '../server/lib/in-order.ts'
import { createLogger } from '../server/lib/logger.ts'
import { toOwnerWord } from '../server/lib/text/words.ts'
import { openStorage } from '../server/storage/index.ts'
import { Users } from '../server/users/index.ts'
import { judgeAtMost, median, type BenchResult } from './bench-result.ts'
import { wordOfRank } from './support/fill-chats.ts'
import { startGateway, type BenchGateway } from './support/gateway.ts'
import { DRIVER_CORE, PROXY_CORE, startScript } from './support/spawned.ts'

export const goals = ['P30']

const ROUNDS = 9
const MESSAGES = 100_000
const FEW = 10
/** Number of replies in one thread, and of users who reacted to one message. */
const SIDE = 5000

/** Creates two public channels, one of them long, with the same many members. */
async function fillChannels(path: string): Promise<void> {
  const storage = openStorage({ path })
  try {
    const { sqlite } = storage
    sqlite.pragma('synchronous = OFF')
    const users = new Users({ storage, log: createLogger('silent') })
    const people = await storage.transaction(() =>
      mapInOrder(Array.from({ length: SIDE }).keys(), async (place) => {
        const person = { name: `P${place}`, email: `p${place}@localhost.test` }
        return (await users.create({ ...person, role: 'user' })).id
      }),
    )
    const channel = sqlite.prepare(
      'insert into channel (id, user_id, name, is_private, created_at, updated_at) values (?, ?, ?, 0, 1, 1)',
    )
    const insert = sqlite.prepare(
      'insert into channel_message (id, channel_id, user_id, parent_id, content, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?)',
    )
    const words = sqlite.prepare(
      'insert into channel_message_search (rowid, place, content) values (?, ?, ?)',
    )
    const react = sqlite.prepare(
      'insert into channel_reaction (message_seq, name, user_id, created_at) values (?, ?, ?, 1)',
    )
    let time = Date.now() * 1000
    for (const [id, count] of [
      ['long', MESSAGES],
      ['short', FEW],
    ] as const) {
      await storage.transaction(async () => {
        channel.run(id, people[0], id)
        for (let each = 0; each < count; each += 1) {
          const content = `common ${wordOfRank(each % 20_000)} text number${each} with some more words of an ordinary length`
          const parent = each > count - SIDE / 2 && each % 2 === 1 ? `${id}-0` : null
          const { lastInsertRowid } = insert.run(
            `${id}-${each}`,
            id,
            people[each % SIDE],
            parent,
            content,
            (time += 1),
            time,
          )
          words.run(lastInsertRowid, toOwnerWord(id), content)
          if (each === count - 2)
            for (const person of people) react.run(lastInsertRowid, 'tada', person)
        }
      })
    }
    sqlite.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    storage.close()
  }
}

interface Step {
  readonly name: string
  readonly run: (gateway: BenchGateway, id: string, round: number) => Promise<unknown>
}

const of = (id: string): string => `/api/v1/channels/${id}`
const lastOf = (id: string): number => (id === 'long' ? MESSAGES : FEW)
const STEPS: readonly Step[] = [
  { name: 'open, with what is unread', run: (gateway, id) => gateway.call('GET', of(id)) },
  { name: 'the newest page', run: (gateway, id) => gateway.call('GET', `${of(id)}/messages`) },
  {
    name: 'a page from the middle',
    run: (gateway, id) => gateway.call('GET', `${of(id)}/messages?around=${id}-${lastOf(id) / 2}`),
  },
  {
    name: 'the oldest page by skip',
    run: (gateway, id) =>
      gateway.call('GET', `${of(id)}/messages?skip=${Math.max(0, lastOf(id) - 5000)}&limit=200`),
  },
  {
    name: 'a thread',
    run: (gateway, id) => gateway.call('GET', `${of(id)}/messages/${id}-0/thread`),
  },
  {
    name: 'search for a word of all',
    run: (gateway, id) =>
      gateway.call('GET', `/api/v1/channels/search?channel_id=${id}&text=common`),
  },
  {
    name: 'search for a word being typed',
    run: (gateway, id) => gateway.call('GET', `/api/v1/channels/search?channel_id=${id}&text=num`),
  },
  {
    name: 'post',
    run: (gateway, id, round) =>
      gateway.call('POST', `${of(id)}/messages/post`, { content: `Round ${round}` }),
  },
  {
    name: 'react where 5,000 did',
    run: (gateway, id, round) =>
      gateway.call('POST', `${of(id)}/messages/${id}-${lastOf(id) - 2}/reactions/add`, {
        name: `r${round + 2}`,
      }),
  },
]

interface Cost {
  readonly long: number[]
  readonly short: number[]
  readonly stalls: number[]
}
type Costs = ReadonlyMap<string, Cost>

async function measureStep(
  gateway: BenchGateway,
  step: Step,
  id: string,
  round: number,
): Promise<{ milliseconds: number; stall: number }> {
  await gateway.readLoop()
  await sleep(20)
  const begun = performance.now()
  await step.run(gateway, id, round)
  const milliseconds = performance.now() - begun
  await sleep(20)
  return { milliseconds, stall: (await gateway.readLoop()).processor }
}

async function measureSteps(gateway: BenchGateway): Promise<Costs> {
  const costs = new Map<string, Cost>(
    STEPS.map(({ name }) => [name, { long: [], short: [], stalls: [] }]),
  )
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const step of STEPS) {
      const [long, short] = [
        await measureStep(gateway, step, 'long', round),
        await measureStep(gateway, step, 'short', round),
      ]
      if (round < 0) continue
      const cost = costs.get(step.name)!
      cost.long.push(long.milliseconds)
      cost.short.push(short.milliseconds)
      cost.stalls.push(long.stall)
    }
  }
  return costs
}

/**
 * P30: compares the cost of a channel of 100,000 messages with one of ten, and measures how long it
 * delays others at most.
 */
export async function run(): Promise<BenchResult> {
  const model = await startScript('mock-upstream.ts', DRIVER_CORE)
  const gateway = await startGateway(model.ready.port, PROXY_CORE, {
    prepare: fillChannels,
    watchesLoop: true,
    environment: { ENABLE_CHANNELS: 'true', ENABLE_SIGNUP: 'true', DEFAULT_USER_ROLE: 'admin' },
  })
  try {
    const costs = await measureSteps(gateway)
    await gateway.readLoop()
    const begun = performance.now()
    await gateway.call('DELETE', `${of('long')}/delete`)
    const deleted = performance.now() - begun
    let left = 1
    while (left > 0) {
      left = (await gateway.call<unknown[]>('GET', '/api/v1/deletions')).length
      await sleep(50)
    }
    const seconds = (performance.now() - begun) / 1000
    return judge(costs, { stall: (await gateway.readLoop()).processor, deleted, seconds })
  } finally {
    await gateway.stop()
    await model.stop()
  }
}

function judge(
  costs: Costs,
  end: { stall: number; deleted: number; seconds: number },
): BenchResult {
  const rows = [...costs].map(([name, { stalls }]) => ({ name, value: median(stalls) }))
  return {
    goal: 'P30',
    rows: [...rows, { name: 'while its rows are deleted', value: end.stall }].map(
      ({ name, value }) => ({
        name: `processor time of the longest turn: ${name}`,
        value,
        unit: 'ms',
        hold: '<= 50',
        moonshot: '<= 20',
        reached: judgeAtMost(value, { hold: 50, moonshot: 20 }),
      }),
    ),
    notes: [
      ...[...costs].map(
        ([name, { long, short }]) =>
          `${name}: ${median(long).toFixed(1)} ms, in a channel of ten messages ${median(short).toFixed(1)} ms`,
      ),
      `deleted: answered after ${end.deleted.toFixed(0)} ms, all rows gone after ${end.seconds.toFixed(1)} s`,
    ],
  }
}
