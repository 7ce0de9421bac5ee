import { randomUUID } from 'node:crypto'
import { judgeAtMost, median, type BenchResult } from './bench-result.ts'
import { microseconds } from './support/clock.ts'
import { startGateway, type BenchGateway } from './support/gateway.ts'
import type { CollectAnswer } from './support/socket-clients.ts'
import {
  cpuSeconds,
  DRIVER_CORE,
  PROXY_CORE,
  startScript,
  type Spawned,
} from './support/spawned.ts'

const ROUNDS = 5
const SOCKETS = 1000
const PER_SECOND = 60
const MILLISECONDS = 3000

export const goals = ['P9']

interface Round extends CollectAnswer {
  readonly sent: number
  /** Processor time of the server per delivered frame. */
  readonly microsecondsPerDelivery: number
}

/** Posts events to a message of a chat, evenly over time, as an external tool does. */
async function emitEvents(gateway: BenchGateway, path: string): Promise<number> {
  const count = (PER_SECOND * MILLISECONDS) / 1000
  const replies: Promise<unknown>[] = []
  for (let sent = 0; sent < count; sent += 1) {
    const begun = performance.now()
    replies.push(
      gateway.call('POST', path, {
        type: 'notification',
        data: { type: 'info', content: `@${microseconds()}@` },
      }),
    )
    await new Promise((resolve) =>
      setTimeout(resolve, Math.max(0, 1000 / PER_SECOND - (performance.now() - begun))),
    )
  }
  await Promise.all(replies)
  return count
}

async function runRound(
  pid: number,
  clients: Spawned,
  emit: () => Promise<number>,
): Promise<Round> {
  const before = cpuSeconds(pid) ?? Number.NaN
  const sent = await emit()
  const answer = await clients.ask<CollectAnswer>({ kind: 'collect' })
  const used = (cpuSeconds(pid) ?? Number.NaN) - before
  return { ...answer, sent, microsecondsPerDelivery: (used * 1_000_000) / answer.deliveries }
}

async function createMessage(
  gateway: BenchGateway,
): Promise<{ chatId: string; messageId: string }> {
  const messageId = randomUUID()
  const message = {
    id: messageId,
    role: 'assistant',
    content: '',
    parentId: null,
    childrenIds: [],
    timestamp: 1,
    model: 'm',
    modelName: 'm',
    modelIdx: 0,
  }
  const chat = {
    title: 'Bench',
    models: ['m'],
    messages: [message],
    history: { currentId: messageId, messages: { [messageId]: message } },
  }
  const { id } = await gateway.call<{ id: string }>('POST', '/api/v1/chats/new', { chat })
  return { chatId: id, messageId }
}

export async function run(): Promise<BenchResult[]> {
  const model = await startScript('mock-upstream.ts', DRIVER_CORE)
  const gateway = await startGateway(model.ready.port, PROXY_CORE, {
    environment: { WEBSOCKET_MAX_PER_ACCOUNT: String(SOCKETS) },
  })
  const bare = await startScript('bare-sockets.ts', PROXY_CORE)
  const [gatewayClients, bareClients] = [
    await startScript('socket-clients.ts', DRIVER_CORE),
    await startScript('socket-clients.ts', DRIVER_CORE),
  ]
  try {
    const { chatId, messageId } = await createMessage(gateway)
    await gatewayClients.ask({
      kind: 'open',
      port: gateway.port,
      sockets: SOCKETS,
      tokens: [gateway.token],
    })
    await bareClients.ask({
      kind: 'open',
      port: bare.ready.port,
      sockets: SOCKETS,
      tokens: ['none'],
    })
    const template = JSON.stringify({
      type: 'events',
      chat_id: chatId,
      message_id: messageId,
      data: { type: 'notification', data: { type: 'info', content: '@@' } },
    })
    const path = `/api/v1/chats/${chatId}/messages/${messageId}/event`
    const rounds: { gateway: Round[]; bare: Round[] } = { gateway: [], bare: [] }
    const emitBare = async () =>
      (
        await bare.ask<{ sent: number }>({
          perSecond: PER_SECOND,
          milliseconds: MILLISECONDS,
          template,
        })
      ).sent
    for (let round = -1; round < ROUNDS; round += 1) {
      const ours = await runRound(gateway.pid, gatewayClients, () => emitEvents(gateway, path))
      const floor = await runRound(bare.pid, bareClients, emitBare)
      if (round < 0) continue
      rounds.gateway.push(ours)
      rounds.bare.push(floor)
    }
    return [judge(rounds)]
  } finally {
    await Promise.all([gateway.stop(), bare.stop(), gatewayClients.stop(), bareClients.stop()])
    await model.stop()
  }
}

function judge(rounds: { gateway: Round[]; bare: Round[] }): BenchResult {
  const middle = (runner: 'gateway' | 'bare', field: 'p50' | 'p99' | 'microsecondsPerDelivery') =>
    median(rounds[runner].map((round) => round[field]))
  const lost = rounds.gateway.reduce(
    (sum, round) => sum + round.sent * SOCKETS - round.deliveries,
    0,
  )
  const p99 = middle('gateway', 'p99')
  const ratio =
    middle('gateway', 'microsecondsPerDelivery') / middle('bare', 'microsecondsPerDelivery')
  return {
    goal: 'P9',
    rows: [
      {
        name: `frames lost, ${SOCKETS} sockets, ${PER_SECOND} events/s`,
        value: lost,
        unit: '',
        hold: 0,
        reached: lost === 0 ? 'moonshot' : 'missed',
      },
      {
        name: 'p99 from the post to the window',
        value: p99,
        unit: 'ms',
        hold: '<= 60',
        reached: p99 <= 60 ? 'hold' : 'missed',
      },
      {
        name: 'processor time per delivery vs bare ws',
        value: ratio,
        unit: 'x',
        moonshot: '<= 1.5',
        reached: judgeAtMost(ratio, { hold: 3, moonshot: 1.5 }),
      },
    ],
    notes: (['gateway', 'bare'] as const).map(
      (runner) =>
        `${runner}: p50 ${middle(runner, 'p50').toFixed(1)} ms, p99 ${middle(runner, 'p99').toFixed(1)} ms, ${middle(runner, 'microsecondsPerDelivery').toFixed(1)} µs per delivery`,
    ),
  }
}
