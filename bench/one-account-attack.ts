import { setTimeout as sleep } from 'node:timers/promises'
import { percentile, type BenchResult, type BenchRow } from './bench-result.ts'
import type { AttackAnswer, AttackJob } from './support/attacker.ts'
import { startGateway, type BenchGateway } from './support/gateway.ts'
import { addMember, QUESTION, timeCalls } from './support/other-account.ts'
import { DRIVER_CORE, PROXY_CORE, residentKilobytes, startScript } from './support/spawned.ts'

export const goals = ['P25']

const MILLISECONDS = 5000
const QUIET_MILLISECONDS = 1000
/** The attacks, with the replies that show that each reached its target. */
const ATTACKS = {
  'deep JSON': ['413'],
  'wide JSON that is refused': ['413'],
  'wide JSON that is allowed': ['200'],
  'wide JSON full of faults': ['422'],
  'large chats': ['200'],
  'slow bodies': ['429', 'held'],
  'many sockets': ['ready', '4429'],
  'many sign-ins': ['429'],
  'huge events to many sockets': ['200', 'ready'],
  'costly patterns': ['404'],
  'many uploads': ['200'],
  'costly searches': ['200'],
} as const
type AttackName = keyof typeof ATTACKS

/** Milliseconds that `/health` and a chat answer take for other accounts. */
interface Felt {
  readonly health: number
  readonly chat: number
}

/**
 * Measures the effect of `work` on others; the other account is the administrator of the gateway.
 */
async function feel(gateway: BenchGateway, work: Promise<unknown>): Promise<Felt> {
  const [health, chat] = await Promise.all([
    timeCalls(work, () => gateway.call('GET', '/health')),
    timeCalls(work, () => gateway.call('POST', '/api/chat/completions', QUESTION)),
  ])
  return { health: percentile(health, 0.99), chat: percentile(chat, 0.99) }
}

async function addAttacker(
  gateway: BenchGateway,
): Promise<Pick<AttackJob, 'token' | 'chatId' | 'messageId'>> {
  const member = await addMember(gateway, 'Mallory')
  const messageId = 'answer'
  const chat = {
    title: 'Attack',
    history: {
      currentId: messageId,
      messages: { [messageId]: { role: 'assistant', content: '' } },
    },
  }
  const { id } = await member.call<{ id: string }>('POST', '/api/v1/chats/new', { chat })
  return { token: member.token, chatId: id, messageId }
}

const toRows = (attack: string, before: Felt, during: Felt): BenchRow[] =>
  (['health', 'chat'] as const).map((what) => ({
    name: `${what} p99 under: ${attack}`,
    value: during[what] / before[what],
    unit: 'x',
    reached: 'shown',
  }))

/** P25: measures how much one ordinary account that attacks the gateway affects the others. */
export async function run(): Promise<BenchResult> {
  const model = await startScript('mock-upstream.ts', DRIVER_CORE)
  const gateway = await startGateway(model.ready.port, PROXY_CORE, {
    environment: { BYPASS_MODEL_ACCESS_CONTROL: 'true' },
  })
  const attacker = await startScript('attacker.ts', DRIVER_CORE)
  try {
    const place = await addAttacker(gateway)
    await feel(gateway, sleep(1000))
    const rows: BenchRow[] = []
    const notes: string[] = []
    const missed: string[] = []
    for (const attack of Object.keys(ATTACKS) as AttackName[]) {
      const before = await feel(gateway, sleep(QUIET_MILLISECONDS))
      const job: AttackJob = { attack, port: gateway.port, ...place, milliseconds: MILLISECONDS }
      const work = attacker.ask<AttackAnswer>(job)
      const during = await feel(gateway, work)
      const { replies } = await work
      rows.push(...toRows(attack, before, during))
      const figures = (['health', 'chat'] as const).map(
        (what) => `${what} p99 ${before[what].toFixed(1)} → ${during[what].toFixed(1)} ms`,
      )
      const memory = `${Math.round((residentKilobytes(gateway.pid) ?? Number.NaN) / 1024)} MB resident`
      notes.push(`${attack}: ${figures.join(', ')}, ${memory}, replies ${JSON.stringify(replies)}`)
      if (ATTACKS[attack].some((reply) => !(reply in replies))) missed.push(attack)
    }
    rows.push({
      name: 'attacks without the replies they aim at',
      value: missed.length,
      unit: '',
      hold: 0,
      reached: missed.length === 0 ? 'moonshot' : 'missed',
    })
    return { goal: 'P25', rows, notes }
  } finally {
    await Promise.all([gateway.stop(), attacker.stop(), model.stop()])
  }
}
