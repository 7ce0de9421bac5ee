import { randomUUID } from 'node:crypto'
import { startFakeCompatible } from '../server/testing/fake-upstream/fake-compatible.ts'
import { type BenchResult, type BenchRow, judgeAtMost } from './bench-result.ts'
import {
  EMAIL,
  PASSWORD,
  startMeasuredGateway,
  type MeasuredGateway,
} from './support/measured-gateway.ts'
import { measureLargeBodies } from './support/measure-large-bodies.ts'
import { measureLargeLists } from './support/measure-large-lists.ts'

const SECONDS = 15
const STREAMS = 50
const CLIENTS = 6
const LARGE_CHAT = 10_000
const LONGEST_BLOCK = { hold: 50, moonshot: 0 }

type Call = (method: string, target: string, body?: unknown) => Promise<Response>

const toCall =
  ({ url, headers }: MeasuredGateway): Call =>
  (method, target, sent) =>
    fetch(url + target, {
      method,
      headers,
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    })

async function createLargeChat(call: Call): Promise<string> {
  const { id } = (await (
    await call('POST', '/api/v1/chats/new', { chat: { title: 'Large' } })
  ).json()) as { id: string }
  for (let from = 0; from < LARGE_CHAT; from += 200) {
    const messages = Object.fromEntries(
      Array.from({ length: 200 }, (_, offset) => {
        const name = `m${from + offset}`
        const parentId = from + offset === 0 ? null : `m${from + offset - 1}`
        return [
          name,
          {
            id: name,
            role: 'user',
            parentId,
            childrenIds: [],
            timestamp: 1,
            content: 'words of an ordinary message '.repeat(20),
          },
        ]
      }),
    )
    await call('POST', `/api/v1/chats/${id}?reply=minimal`, {
      chat: { history: { currentId: `m${from + 199}`, messages } },
    })
  }
  return id
}

/** Simulates one busy client in a loop: write, read, search, sign in, open the long chat. */
async function mixedWork(call: Call, largeId: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const { id } = (await (
      await call('POST', '/api/v1/chats/new', { chat: { title: `Chat ${randomUUID()}` } })
    ).json()) as { id: string }
    const jobs: [string, string, unknown?][] = [
      [
        'POST',
        `/api/v1/chats/${id}?reply=minimal`,
        {
          chat: {
            history: {
              messages: { [randomUUID()]: { role: 'user', content: 'words '.repeat(200) } },
            },
          },
        },
      ],
      ['GET', '/api/v1/chats/?page=1'],
      ['GET', '/api/v1/chats/search?text=ordinary'],
      ['GET', `/api/v1/chats/${largeId}/branch`],
      ['GET', `/api/v1/chats/${largeId}`],
      ['GET', '/api/models'],
      ['POST', '/api/v1/auths/signin', { email: EMAIL, password: PASSWORD }],
    ]
    for (const [method, target, body] of jobs)
      await (await call(method, target, body)).arrayBuffer()
  }
}

async function stream(call: Call, isOver: () => boolean): Promise<void> {
  while (!isOver())
    await (
      await call('POST', '/api/chat/completions', {
        model: 'slow',
        stream: true,
        messages: [{ role: 'user', content: '/slow 60' }],
      })
    ).arrayBuffer()
}

/**
 * Measures how late the event loop runs while users stream, write, search and open a chat of 10,000
 * messages.
 */
async function measureMixedWork(): Promise<BenchRow[]> {
  const upstream = await startFakeCompatible({})
  const gateway = await startMeasuredGateway(upstream.url)
  try {
    const call = toCall(gateway)
    const largeId = await createLargeChat(call)
    gateway.begin()
    const end = performance.now() + SECONDS * 1000
    const isOver = () => performance.now() > end
    await Promise.all([
      ...Array.from({ length: STREAMS }, () => stream(call, isOver)),
      ...Array.from({ length: CLIENTS }, () => mixedWork(call, largeId, isOver)),
    ])
    const { p99, max } = await gateway.end()
    return [
      {
        name: 'longest block of the event loop under mixed work',
        value: max,
        unit: 'ms',
        hold: '<= 50',
        reached: judgeAtMost(max, LONGEST_BLOCK),
      },
      {
        name: 'p99 of the loop delay',
        value: p99,
        unit: 'ms',
        hold: '<= 20',
        reached: judgeAtMost(p99, { hold: 20, moonshot: 0 }),
      },
    ]
  } finally {
    await gateway.stop()
    await upstream.close()
  }
}

/**
 * Measures the longest turn of the loop while each of the largest bodies is received, in processor
 * time, which other processes do not affect.
 */
async function measureBodies(): Promise<{ rows: BenchRow[]; notes: string[] }> {
  const rows: BenchRow[] = []
  const notes: string[] = []
  for await (const { name, status, isExpected, max, processor } of measureLargeBodies()) {
    rows.push({
      name: `longest turn with ${name}`,
      value: processor,
      unit: 'ms',
      hold: '<= 50',
      reached: isExpected ? judgeAtMost(processor, LONGEST_BLOCK) : 'missed',
    })
    notes.push(
      `${name}: the loop ran up to ${max.toFixed(0)} ms late${isExpected ? '' : `, answered ${status}, which was not expected`}`,
    )
  }
  return { rows, notes }
}

/**
 * Measures the same while each of the longest lists is sent: of an account with 20,000 chats of
 * each kind, among 10,000 accounts and groups.
 */
async function measureLists(): Promise<{ rows: BenchRow[]; notes: string[] }> {
  const rows: BenchRow[] = []
  const notes: string[] = []
  for await (const { name, status, max, processor } of measureLargeLists()) {
    rows.push({
      name: `longest turn with a list of ${name}`,
      value: processor,
      unit: 'ms',
      hold: '<= 50',
      reached: status === 200 ? judgeAtMost(processor, LONGEST_BLOCK) : 'missed',
    })
    if (status !== 200 || max > LONGEST_BLOCK.hold)
      notes.push(
        `a list of ${name}: answered ${status}, the loop ran up to ${max.toFixed(0)} ms late`,
      )
  }
  return { rows, notes }
}

/** P24: checks that no input and no other user's work blocks the event loop for long. */
export async function run(): Promise<BenchResult> {
  const mixed = await measureMixedWork()
  const bodies = await measureBodies()
  const lists = await measureLists()
  return {
    goal: 'P24',
    rows: [...mixed, ...bodies.rows, ...lists.rows],
    notes: [
      `${STREAMS} streams and ${CLIENTS} busy clients for ${SECONDS} s, with garbage collection and a machine of two cores shared with the load`,
      ...bodies.notes,
      ...lists.notes,
    ],
  }
}
