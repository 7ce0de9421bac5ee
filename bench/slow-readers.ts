import { setTimeout as sleep } from 'node:timers/promises'
import { judgeAtMost, percentile, type BenchResult, type Reached } from './bench-result.ts'
import { startGateway, type BenchGateway } from './support/gateway.ts'
import type { Target } from './support/http-client.ts'
import { addMember, QUESTION, timeCalls, type Member } from './support/other-account.ts'
import {
  DRIVER_CORE,
  PROXY_CORE,
  residentKilobytes,
  startScript,
  type Spawned,
} from './support/spawned.ts'
import type { LeaveAnswer, StopAnswer } from './support/stopped-readers.ts'

export const goals = ['P26']

const READERS = 200
/** Megabytes of text in each answer; the models of the model server are named after it. */
const MEGABYTES = 10
const QUIET_MILLISECONDS = 4000
/**
 * Time in ms for the readers to reach their stages; those of the responses format come after the
 * others.
 */
const STOPPING_MILLISECONDS = { others: 22_000, responses: 12_000 }
/** The gateway drops clients that read nothing for a minute, so this ends before. */
const STOPPED_MILLISECONDS = 6000
/** Memory in kB that a stopped reader may take in the gateway, far less than its answer. */
const READER_KILOBYTES = 1024
/**
 * The responses format repeats the whole text in four events at its end, so the gateway holds a
 * multiple of the text.
 */
const RESPONSES_KILOBYTES = MEGABYTES * 6000
const MOVED_MILLISECONDS = 20

const messages = [{ role: 'user', content: 'Hello' }]
const MODEL = `bench-long-${MEGABYTES}`
const NATIVE_MODEL = `bench-native-long-${MEGABYTES}`
type Question = readonly [path: string, body?: object]
const RESPONSES: Question = ['/openai/responses', { model: MODEL, stream: true, input: 'Hello' }]
/** Every other route that streams model answers, with the request body. */
const OTHERS: readonly Question[] = [
  ['/api/chat/completions', { model: MODEL, stream: true, messages }],
  ['/api/v1/messages', { model: MODEL, stream: true, messages, max_tokens: 1000 }],
  ['/openai/chat/completions', { model: MODEL, stream: true, messages }],
  ['/api/completions', { model: MODEL, stream: true, prompt: 'Hello' }],
  ['/llmhost/api/chat', { model: NATIVE_MODEL, stream: true, messages }],
  ['/llmhost/api/generate', { model: NATIVE_MODEL, stream: true, prompt: 'Hello' }],
]

function toTarget(gateway: BenchGateway, token: string, [path, body]: Question): Target {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${gateway.port}`,
    `Authorization: Bearer ${token}`,
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ]
  return { port: gateway.port, request: `${head.join('\r\n')}\r\n\r\n${text}` }
}

async function addFile(member: Member): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.alloc(MEGABYTES * 1e6, 'words of a file ')]), 'long.txt')
  const { id } = await member.call<{ id: string }>('POST', '/api/v1/files/?process=false', form)
  return `/api/v1/files/${id}/content`
}

/** Samples the memory of the gateway until `work` has ended; returns the maximum. */
async function watchMemory(pid: number, work: Promise<unknown>): Promise<number> {
  let peak = 0
  const timer = setInterval(
    () => (peak = Math.max(peak, residentKilobytes(pid) ?? Number.NaN)),
    100,
  )
  await work.finally(() => clearInterval(timer))
  return peak
}

interface Targets {
  readonly others: readonly Target[]
  readonly responses: readonly Target[]
}

interface Step extends StopAnswer {
  readonly readers: number
  readonly peakKilobytes: number
  readonly seconds: number
}

interface Found {
  /** Milliseconds that chats of another account took before. */
  readonly before: readonly number[]
  /** Values while the readers read up to their stages, and after they have stopped. */
  readonly stopping: readonly number[]
  readonly stopped: readonly number[]
  readonly idleKilobytes: number
  readonly others: Step
  readonly responses: Step
  readonly open: number
  readonly lives: boolean
}

async function measure(gateway: BenchGateway, readers: Spawned, targets: Targets): Promise<Found> {
  const chat = () => gateway.call('POST', '/api/chat/completions', QUESTION)
  async function stop(which: keyof Targets, count: number): Promise<Step> {
    const begun = performance.now()
    const job = {
      kind: 'stop',
      targets: targets[which],
      readers: count,
      milliseconds: STOPPING_MILLISECONDS[which],
    }
    const work = readers.ask<StopAnswer>(job)
    const peakKilobytes = await watchMemory(gateway.pid, work)
    return {
      ...(await work),
      readers: count,
      peakKilobytes,
      seconds: (performance.now() - begun) / 1000,
    }
  }
  // A warm-up: these routes have replied before, so that modules loaded at the first use are not
  // counted.
  await stop('others', 0)
  const before = await timeCalls(sleep(QUIET_MILLISECONDS), chat)
  const idleKilobytes = residentKilobytes(gateway.pid) ?? Number.NaN
  const count = Math.round(READERS / (targets.others.length + targets.responses.length))
  const steps = stop('others', READERS - count).then(async (others) => ({
    others,
    responses: await stop('responses', count),
  }))
  const stopping = await timeCalls(steps, chat)
  const stopped = await timeCalls(sleep(STOPPED_MILLISECONDS), chat)
  const { open } = await readers.ask<LeaveAnswer>({ kind: 'leave' })
  return {
    before,
    stopping,
    stopped,
    idleKilobytes,
    ...(await steps),
    open,
    lives: await isAlive(gateway),
  }
}

const isAlive = (gateway: BenchGateway): Promise<boolean> =>
  gateway.call('GET', '/health').then(
    () => true,
    () => false,
  )

const atMost = (value: number, hold: number) => ({
  value,
  hold: `<= ${hold}`,
  reached: judgeAtMost(value, { hold, moonshot: hold / 2 }),
})
const none = (value: number) => ({
  value,
  unit: '',
  hold: 0,
  reached: (value === 0 ? 'moonshot' : 'missed') as Reached,
})

const describeStep = (name: string, { stopped, problems, sizes, seconds }: Step): string =>
  `${name}: stopped ${JSON.stringify(stopped)} in ${seconds.toFixed(1)} s, problems ${JSON.stringify(problems)}, ` +
  `answers of ${sizes.map((bytes) => (bytes / 1e6).toFixed(1)).join(', ')} MB`

function judge({
  before,
  stopping,
  stopped,
  idleKilobytes,
  others,
  responses,
  open,
  lives,
}: Found): BenchResult {
  const p99 = {
    before: percentile(before, 0.99),
    stopping: percentile(stopping, 0.99),
    stopped: percentile(stopped, 0.99),
  }
  const [first, second] = [
    Math.max(0, others.peakKilobytes - idleKilobytes),
    Math.max(0, responses.peakKilobytes - others.peakKilobytes),
  ]
  const arrived = [others, responses]
    .flatMap((step) => Object.values(step.stopped))
    .reduce((sum, count) => sum + count, 0)
  const bound = (others.readers * READER_KILOBYTES + responses.readers * RESPONSES_KILOBYTES) / 1024
  const megabytes = (kilobytes: number) => (kilobytes / 1024).toFixed(0)
  return {
    goal: 'P26',
    rows: [
      { name: 'ends of the process', ...none(lives ? 0 : 1) },
      { name: `of ${READERS} readers not at their stage in time`, ...none(READERS - arrived) },
      {
        name: 'peak memory per stopped reader',
        unit: 'kB',
        ...atMost(first / others.readers, READER_KILOBYTES),
      },
      {
        name: 'peak memory per stopped reader of responses',
        unit: 'kB',
        ...atMost(second / responses.readers, RESPONSES_KILOBYTES),
      },
      {
        name: 'peak memory of all stopped readers',
        unit: 'MB',
        ...atMost((first + second) / 1024, Math.round(bound)),
      },
      {
        name: "another account's chat p99, moved by stopped readers",
        unit: 'ms',
        ...atMost(p99.stopped - p99.before, MOVED_MILLISECONDS),
      },
      {
        name: "another account's chat p99, stopped vs before",
        value: p99.stopped / p99.before,
        unit: 'x',
        reached: 'shown',
      },
      {
        name: "another account's chat p99, readers reading vs before",
        value: p99.stopping / p99.before,
        unit: 'x',
        reached: 'shown',
      },
    ],
    notes: [
      `chat p99 ${p99.before.toFixed(1)} ms before, ${p99.stopping.toFixed(1)} ms while readers read up to their stages, ${p99.stopped.toFixed(1)} ms once they have stopped`,
      `idle ${megabytes(idleKilobytes)} MB, peak ${megabytes(others.peakKilobytes)} MB, with those of responses ${megabytes(responses.peakKilobytes)} MB; connections at the end ${open}`,
      describeStep('responses', responses),
      describeStep('all others', others),
    ],
  }
}

/**
 * P26: measures how clients that stop reading, at every stage of every streaming route, affect the
 * gateway and other clients.
 */
export async function run(): Promise<BenchResult> {
  const model = await startScript('mock-upstream.ts', DRIVER_CORE)
  const gateway = await startGateway(model.ready.port, PROXY_CORE, {
    environment: {
      BYPASS_MODEL_ACCESS_CONTROL: 'true',
      LLMHOST_BASE_URL: `http://127.0.0.1:${model.ready.port}`,
    },
  })
  const readers = await startScript('stopped-readers.ts', DRIVER_CORE)
  try {
    const member = await addMember(gateway, 'Reader')
    const toTargets = (questions: readonly Question[]) =>
      questions.map((question) => toTarget(gateway, member.token, question))
    const others = toTargets([...OTHERS, [await addFile(member)]])
    return judge(await measure(gateway, readers, { others, responses: toTargets([RESPONSES]) }))
  } finally {
    await Promise.all([gateway.stop(), readers.stop(), model.stop()])
  }
}
