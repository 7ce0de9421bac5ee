import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { judgeAtMost, median, type BenchResult } from './bench-result.ts'
import { startGateway, type BenchGateway } from './support/gateway.ts'
import { DRIVER_CORE, PROXY_CORE, startScript } from './support/spawned.ts'

export const goals = ['P27']

const ROUNDS = 7
const MESSAGES = 20_000
const AT_ONCE = 400
const TEXT = 'words of an ordinary message '.repeat(8)
const BACKGROUND = { title_generation: true, tags_generation: true, follow_up_generation: true }

const roleOf = (index: number) => (index % 2 === 0 ? 'user' : 'assistant')
const HISTORY = Array.from({ length: MESSAGES }, (_, index) => ({
  role: roleOf(index),
  content: `${TEXT}${index}`,
}))

/** Variant of a question: where it is asked, and what is sent with it. */
interface Variant {
  readonly name: 'question' | 'history sent' | 'history left to the gateway'
  readonly isLong: boolean
}

const VARIANTS: readonly Variant[] = [
  { name: 'question', isLong: false },
  { name: 'question', isLong: true },
  { name: 'history sent', isLong: false },
  { name: 'history sent', isLong: true },
  { name: 'history left to the gateway', isLong: true },
]

interface Place {
  readonly chatId: string
  lastId: string | null
}

async function createChat(gateway: BenchGateway, messages: number): Promise<Place> {
  const { id } = await gateway.call<{ id: string }>('POST', '/api/v1/chats/new', {
    chat: { title: 'Chat' },
  })
  for (let from = 0; from < messages; from += AT_ONCE) {
    const part = HISTORY.slice(from, from + AT_ONCE).map((message, offset) => {
      const index = from + offset
      return [
        `m${index}`,
        {
          ...message,
          id: `m${index}`,
          parentId: index === 0 ? null : `m${index - 1}`,
          childrenIds: [],
          done: true,
        },
      ]
    })
    const history = {
      currentId: `m${from + part.length - 1}`,
      messages: Object.fromEntries(part) as object,
    }
    await gateway.call('POST', `/api/v1/chats/${id}?reply=minimal`, { chat: { history } })
  }
  return { chatId: id, lastId: messages === 0 ? null : `m${messages - 1}` }
}

/**
 * Asks in a chat and waits for the answer and the work that follows it; returns the milliseconds to
 * the end of the answer.
 */
async function ask(gateway: BenchGateway, place: Place, { name }: Variant): Promise<number> {
  const question = {
    id: randomUUID(),
    role: 'user',
    content: 'What comes next?',
    parentId: place.lastId,
  }
  const id = randomUUID()
  const own = { role: 'user', content: question.content }
  const body = {
    model: 'bench-burst-64',
    stream: true,
    chat_id: place.chatId,
    id,
    parent_id: question.id,
    user_message: question,
    messages: name === 'question' ? [own] : name === 'history sent' ? [...HISTORY, own] : [],
    background_tasks: BACKGROUND,
  }
  const text = JSON.stringify(body)
  const begun = performance.now()
  const response = await fetch(`http://127.0.0.1:${gateway.port}/api/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${gateway.token}`, 'Content-Type': 'application/json' },
    body: text,
  })
  const answer = await response.text()
  if (!response.ok || !answer.includes('[DONE]'))
    throw new Error(`${response.status} ${answer.slice(0, 500)}`)
  const milliseconds = performance.now() - begun
  place.lastId = id
  for (;;) {
    const { task_ids: tasks } = await gateway.call<{ task_ids: string[] }>(
      'GET',
      `/api/tasks/chat/${place.chatId}`,
    )
    if (tasks.length === 0) return milliseconds
    await sleep(5)
  }
}

interface Cost {
  readonly whole: number[]
  readonly cpu: number[]
  readonly stalls: number[]
}

async function measure(gateway: BenchGateway): Promise<ReadonlyMap<Variant, Cost>> {
  const long = await createChat(gateway, MESSAGES)
  const costs = new Map<Variant, Cost>(
    VARIANTS.map((variant) => [variant, { whole: [], cpu: [], stalls: [] }]),
  )
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const [variant, { whole, cpu, stalls }] of costs) {
      const place = variant.isLong ? long : await createChat(gateway, 0)
      await gateway.readLoop()
      await sleep(50)
      const milliseconds = await ask(gateway, place, variant)
      await sleep(50)
      const loop = await gateway.readLoop()
      if (round < 0) continue
      whole.push(milliseconds)
      cpu.push(loop.cpu)
      stalls.push(loop.max)
    }
  }
  return costs
}

/**
 * P27: compares the cost of an answer in a chat of 20,000 messages, including its title, tags and
 * follow-ups, with one in an empty chat.
 */
export async function run(): Promise<BenchResult> {
  const model = await startScript('mock-upstream.ts', DRIVER_CORE)
  const gateway = await startGateway(model.ready.port, PROXY_CORE, {
    watchesLoop: true,
    environment: { TASK_MODEL_EXTERNAL: 'bench-text' },
  })
  try {
    const costs = await measure(gateway)
    const of = (name: Variant['name'], isLong: boolean): Cost =>
      [...costs].find(([one]) => one.name === name && one.isLong === isLong)![1]
    const compare = (name: string, long: Cost, empty: Cost) =>
      (['whole', 'cpu'] as const).map((kind) => {
        const value = median(long[kind]) / median(empty[kind])
        const unit = 'x'
        const reached = judgeAtMost(value, { hold: 1.3, moonshot: 1.1 })
        return {
          name: `${name}: ${kind === 'cpu' ? 'processor time' : 'time'}, vs in an empty chat`,
          value,
          unit,
          hold: '<= 1.3',
          moonshot: '<= 1.1',
          reached,
        }
      })
    const stall = Math.max(
      ...of('question', true).stalls,
      ...of('history sent', true).stalls,
      ...of('history left to the gateway', true).stalls,
    )
    return {
      goal: 'P27',
      rows: [
        ...compare('a question after 20,000 messages', of('question', true), of('question', false)),
        ...compare('with the messages sent', of('history sent', true), of('history sent', false)),
        ...compare(
          'with the messages read by the gateway',
          of('history left to the gateway', true),
          of('history sent', false),
        ),
        {
          name: 'longest block of the event loop',
          value: stall,
          unit: 'ms',
          hold: '<= 50',
          moonshot: '<= 25',
          reached: judgeAtMost(stall, { hold: 50, moonshot: 25 }),
        },
      ],
      notes: [...costs].map(([{ name, isLong }, { whole, cpu, stalls }]) => {
        const place = isLong ? `after ${MESSAGES} messages` : 'in an empty chat'
        return `${name} ${place}: ${median(whole).toFixed(1)} ms, processor ${median(cpu).toFixed(1)} ms, longest block ${Math.max(...stalls).toFixed(1)} ms`
      }),
    }
  } finally {
    await Promise.all([gateway.stop(), model.stop()])
  }
}
