// The built-in runtime through `/llmhost` against its library called directly, with a model of random
// weights: time to the first token, and tokens per second once they come.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getLlama, LlamaChat, LlamaLogLevel } from 'node-llama-cpp'
import { startTestServer } from '../server/testing/start-server.ts'
import { writeTinyModel } from '../server/testing/write-tiny-model.ts'

const ROUNDS = 40
const TOKENS = 200
const QUESTION = 'Hello there, what does the river do in the morning?'
const SAMPLING = { temperature: 0.8, topK: 40, topP: 0.9 } as const

interface Round {
  readonly first: number
  readonly perSecond: number
}

type Ask = (round: number) => Promise<Round>

/** In turns, so that both meet the machine in the same state; each with a question of its own. */
const questionOf = (round: number): string => `${round} ${QUESTION}`

function measure(began: number, times: readonly number[]): Round {
  const first = times[0]! - began
  return { first, perSecond: ((TOKENS - 1) / (times.at(-1)! - times[0]!)) * 1000 }
}

async function openDirect(file: string): Promise<Ask> {
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
  return async (round) => {
    const times: number[] = []
    const began = performance.now()
    const chat = new LlamaChat({ contextSequence, autoDisposeSequence: false })
    await chat.generateResponse([{ type: 'user', text: questionOf(round) }], {
      ...SAMPLING,
      seed: round,
      maxTokens: TOKENS,
      onTextChunk: () => void times.push(performance.now()),
    })
    chat.dispose()
    return measure(began, times)
  }
}

async function openGateway(
  file: string,
  dataDir: string,
): Promise<{ ask: Ask; close(): Promise<void> }> {
  mkdirSync(path.join(dataDir, 'models'), { recursive: true })
  writeTinyModel(path.join(dataDir, 'models', path.basename(file)), { contextLength: 2048 })
  const server = await startTestServer({
    dataDir,
    environment: { ENABLE_BUILT_IN_RUNTIME: 'true' },
  })
  const token = await server.signUp('Admin')
  const ask: Ask = async (round) => {
    const began = performance.now()
    const reply = await server.call('POST', '/llmhost/api/chat', {
      token,
      body: {
        model: 'tiny',
        messages: [{ role: 'user', content: questionOf(round) }],
        options: { num_predict: TOKENS, seed: round },
      },
    })
    const times: number[] = []
    for await (const bytes of reply.body!) {
      const lines = Buffer.from(bytes).toString().split('\n').length - 1
      const now = performance.now()
      for (let line = 0; line < lines; line += 1) times.push(now)
    }
    return measure(began, times)
  }
  return { ask, close: () => server.close() }
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!
}

const folder = mkdtempSync(path.join(tmpdir(), 'built-in-runtime-'))
const file = path.join(folder, 'tiny.gguf')
writeTinyModel(file, { contextLength: 2048 })
const direct = await openDirect(file)
const gateway = await openGateway(file, path.join(folder, 'data'))
const rounds: { direct: Round; gateway: Round }[] = []
for (let round = 0; round < ROUNDS + 5; round += 1)
  rounds.push({ direct: await direct(round), gateway: await gateway.ask(round) })
const warm = rounds.slice(5)
const of = (which: 'direct' | 'gateway', figure: keyof Round): number =>
  median(warm.map((round) => round[which][figure]))
for (const [figure, unit] of [
  ['first', 'ms to the first token'],
  ['perSecond', 'tokens per second'],
] as const) {
  const [library, through] = [of('direct', figure), of('gateway', figure)]
  console.log(
    `${unit}: library ${library.toFixed(1)}, through /llmhost ${through.toFixed(1)}, ratio ${(through / library).toFixed(3)}`,
  )
}
await gateway.close()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
