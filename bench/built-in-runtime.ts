// Compares the built-in runtime through `/llmhost` with its library called directly, with a model
// of random weights: time to the first token, and tokens per second after it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getLlama, LlamaChat, LlamaLogLevel } from 'node-llama-cpp'
import { writeTinyModel } from '../server/testing/write-tiny-model.ts'
import { judgeAtLeast, judgeAtMost, median, type BenchResult } from './bench-result.ts'
import { cancelCalls } from './support/cancel-engine.ts'
import { startMeasuredGateway, type MeasuredGateway } from './support/measured-gateway.ts'

const ROUNDS = 40
const WARM_UP = 5
const TOKENS = 200
const SAMPLING = { temperature: 0.8, topK: 40, topP: 0.9 } as const
const SENTENCE = 'Hello there, what does the river do in the morning?'
/** A short question, and one as long as a few turns of a conversation. */
const QUESTIONS = { short: SENTENCE, long: Array(20).fill(SENTENCE).join(' ') } as const

/** A URL at which nothing listens, so no other provider is called. */
const NOBODY = 'http://127.0.0.1:9/v1'

type Length = keyof typeof QUESTIONS

interface Figures {
  readonly first: number
  readonly perSecond: number
}

type Ask = (question: string, seed: number) => Promise<Figures>

function measure(began: number, times: readonly number[]): Figures {
  const first = times[0]! - began
  return { first, perSecond: ((TOKENS - 1) / (times.at(-1)! - times[0]!)) * 1000 }
}

async function openDirect(file: string): Promise<Ask> {
  // The library tests its binary in a child process that inherits the flags of this one, one of
  // which contains this program.
  process.execArgv = []
  const llama = await getLlama({
    build: 'never',
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    logger: () => undefined,
    maxThreads: 1,
  })
  const model = await llama.loadModel({ modelPath: file })
  const context = await model.createContext({ sequences: 2, contextSize: { max: 8192 } })
  const contextSequence = context.getSequence()
  return async (text, seed) => {
    const times: number[] = []
    const began = performance.now()
    const chat = new LlamaChat({ contextSequence, autoDisposeSequence: false })
    await chat.generateResponse([{ type: 'user', text }], {
      ...SAMPLING,
      seed,
      maxTokens: TOKENS,
      onTextChunk: () => void times.push(performance.now()),
    })
    chat.dispose()
    return measure(began, times)
  }
}

function openGateway({ url, headers }: MeasuredGateway): Ask {
  const agent = new Agent({ keepAlive: true })
  return (content, seed) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({
        model: 'tiny',
        messages: [{ role: 'user', content }],
        options: { num_predict: TOKENS, seed },
      })
      const began = performance.now()
      const times: number[] = []
      const length = { 'Content-Length': Buffer.byteLength(body) }
      const sent = request(
        `${url}/llmhost/api/chat`,
        { method: 'POST', agent, headers: { ...headers, ...length } },
        (reply) => {
          if (reply.statusCode !== 200) reject(new Error(`The gateway said ${reply.statusCode}.`))
          reply.on('data', () => void times.push(performance.now()))
          reply.on('end', () => resolve(measure(began, times)))
        },
      )
      sent.once('error', reject)
      sent.end(body)
    })
}

interface Rounds {
  readonly direct: Figures[]
  readonly gateway: Figures[]
}

/**
 * Alternates between both, so that they meet the machine in the same state; each with a different
 * question.
 */
async function compare(asks: Record<keyof Rounds, Ask>, length: Length): Promise<Rounds> {
  const rounds: Rounds = { direct: [], gateway: [] }
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const question = `${round} ${QUESTIONS[length]}`
    for (const who of ['direct', 'gateway'] as const) {
      const figures = await asks[who](question, round + WARM_UP)
      if (round >= 0) rounds[who].push(figures)
    }
  }
  return rounds
}

const middle = (figures: readonly Figures[], which: keyof Figures): number =>
  median(figures.map((each) => each[which]))

function toRows({ direct, gateway }: Rounds, length: Length): BenchResult['rows'] {
  const ratio = (which: keyof Figures): number => middle(gateway, which) / middle(direct, which)
  return [
    {
      name: `first token through /llmhost, ${length} question, vs the library`,
      value: ratio('first'),
      unit: 'x',
      hold: '<= 1.1',
      reached: judgeAtMost(ratio('first'), { hold: 1.1, moonshot: 1 }),
    },
    {
      name: `tokens per second through /llmhost, ${length} question, vs the library`,
      value: ratio('perSecond'),
      unit: 'x',
      hold: '>= 0.97',
      reached: judgeAtLeast(ratio('perSecond'), { hold: 0.97, moonshot: 1 }),
    },
  ]
}

const describe = ({ direct, gateway }: Rounds, length: Length): string =>
  `${length}: first token ${middle(direct, 'first').toFixed(1)} ms directly, ${middle(gateway, 'first').toFixed(1)} ms through /llmhost; ` +
  `${middle(direct, 'perSecond').toFixed(0)} and ${middle(gateway, 'perSecond').toFixed(0)} tokens per second`

/** Deep enough that a batch of a question takes long on one core. */
const SLOW = { contextLength: 8192, blocks: 40 } as const
/** Words of that model, which questions begin with: what they have in common is read once. */
const WORDS = 'a stone light walks over under green quiet morning bird sings'.split(' ')

/**
 * Shows how long the engine works on after it learned that its caller has left: while it writes,
 * and while it reads a question of several batches.
 */
async function measureCancel(folder: string): Promise<BenchResult['rows']> {
  const file = path.join(folder, 'slow.gguf')
  writeTinyModel(file, SLOW)
  const question = 'river '.repeat(3000)
  const writing = WORDS.map((word) => ({ prompt: word, leaveAfter: 'first text' as const }))
  const reading = WORDS.map((word) => ({ prompt: `${word} ${question}`, leaveAfter: 150 }))
  const reports = await cancelCalls(file, [...writing, ...reading])
  return [
    ['writing', reports.slice(0, WORDS.length)] as const,
    ['reading', reports.slice(WORDS.length)] as const,
  ].flatMap(([phase, found]) => [
    {
      name: `end of evaluation after the caller left, while ${phase}: median`,
      value: median(found.map(({ milliseconds }) => milliseconds)),
      unit: 'ms',
      reached: 'shown' as const,
    },
    {
      name: `the same: most`,
      value: Math.max(...found.map(({ milliseconds }) => milliseconds)),
      unit: 'ms',
      reached: 'shown' as const,
    },
    {
      name: `batches begun after the caller left, while ${phase}: most`,
      value: Math.max(...found.map(({ batchesAfter }) => batchesAfter)),
      unit: '',
      reached: 'shown' as const,
    },
  ])
}

export const goals = ['P34']

export async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'built-in-runtime-'))
  const file = path.join(folder, 'tiny.gguf')
  writeTinyModel(file, { contextLength: 2048 })
  const gateway = await startMeasuredGateway(NOBODY, {
    environment: { ENABLE_BUILT_IN_RUNTIME: 'true' },
  })
  try {
    mkdirSync(path.join(gateway.dataDir, 'models'), { recursive: true })
    writeTinyModel(path.join(gateway.dataDir, 'models', 'tiny.gguf'), { contextLength: 2048 })
    const asks = { direct: await openDirect(file), gateway: openGateway(gateway) }
    const short = await compare(asks, 'short')
    const long = await compare(asks, 'long')
    return {
      goal: 'P34',
      rows: [...toRows(short, 'short'), ...toRows(long, 'long'), ...(await measureCancel(folder))],
      notes: [describe(short, 'short'), describe(long, 'long')],
    }
  } finally {
    await gateway.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
