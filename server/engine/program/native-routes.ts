import { answerChat, answerPrompt, type Answered, type Answering, type ToolCall } from './answer.ts'
import { sendJson, sendLine, type EngineCall } from './call.ts'
import { embedTexts } from './embed-texts.ts'
import { EngineFault } from './fault.ts'
import type { LoadedModels } from './loaded-models.ts'
import type { TokenScore } from './probabilities.ts'
import { PieceBuffer } from './piece-buffer.ts'
import { readContextLength, readKeepAlive } from './read-options.ts'
import type { Fields } from '../../lib/is-record.ts'

const toNanoseconds = (milliseconds: number): number => Math.round(milliseconds * 1_000_000)
const now = (): string => new Date().toISOString()

interface Piece {
  readonly text?: string
  readonly thought?: string
  readonly calls?: readonly ToolCall[]
  readonly scores?: readonly TokenScore[]
}

const toScores = ({ scores = [] }: Piece): Fields => (scores.length > 0 ? { logprobs: scores } : {})

/** Formats of the chunks of the two kinds of answers. */
const SHAPES = {
  chat: ({ text = '', thought, calls }: Piece): Fields => ({
    message: {
      role: 'assistant',
      content: text,
      ...(thought && { thinking: thought }),
      ...(calls && calls.length > 0 && { tool_calls: calls }),
    },
  }),
  prompt: ({ text = '', thought }: Piece): Fields => ({
    response: text,
    ...(thought && { thinking: thought }),
  }),
} as const

const toFigures = (answered: Answered, loadMilliseconds: number, began: number): Fields => ({
  done: true,
  done_reason: answered.reason,
  total_duration: toNanoseconds(performance.now() - began),
  load_duration: toNanoseconds(loadMilliseconds),
  prompt_eval_count: answered.readTokens,
  prompt_eval_duration: toNanoseconds(answered.readMilliseconds),
  eval_count: answered.writtenTokens,
  eval_duration: toNanoseconds(answered.writtenMilliseconds),
})

interface AnswerKind {
  readonly shape: (piece: Piece) => Fields
  readonly answer: (answering: Answering) => Promise<Answered>
}

const KINDS: Readonly<Record<'chat' | 'prompt', AnswerKind>> = {
  chat: { shape: SHAPES.chat, answer: answerChat },
  prompt: { shape: SHAPES.prompt, answer: answerPrompt },
}

/** Reports whether a call only loads a model, or frees its memory with `keep_alive` 0. */
const isEmpty = ({ messages, prompt }: EngineCall['body']): boolean =>
  !(Array.isArray(messages) && messages.length > 0) && (prompt === undefined || prompt === '')

/** Answers a conversation or a prompt, in lines or as a whole. */
export async function serveAnswer(
  models: LoadedModels,
  call: EngineCall,
  kind: 'chat' | 'prompt',
): Promise<void> {
  const { body, model: name, file, signal, response, onWait } = call
  const { shape, answer } = KINDS[kind]
  const began = performance.now()
  const isStream = body['stream'] !== false
  let whole = ''
  let thoughts = ''
  const allScores: TokenScore[] = []
  const tell = (piece: Piece): void =>
    sendLine(response, {
      model: name,
      created_at: now(),
      ...shape(piece),
      ...toScores(piece),
      done: false,
    })
  const keepAlive = readKeepAlive(body['keep_alive'])
  await models.use({ file, keepAlive, signal, onWait }, async (model) => {
    const loaded = performance.now() - began
    if (isEmpty(body)) {
      await model.prepare(readContextLength(body['options']))
      const reason = body['keep_alive'] === 0 ? 'unload' : 'load'
      const ended = {
        model: name,
        created_at: now(),
        ...shape({}),
        done: true,
        done_reason: reason,
      }
      return isStream ? response.end(`${JSON.stringify(ended)}\n`) : sendJson(response, 200, ended)
    }
    const tellThought = (thought: string): void => {
      texts.flush()
      tell({ thought })
    }
    const texts = new PieceBuffer((text) => tell({ text }))
    const answered = await answer({
      model,
      body,
      signal,
      onText(text, scores) {
        if (!isStream) {
          whole += text
          allScores.push(...(scores ?? []))
        } else if (scores) tell({ text, scores })
        else texts.push(text)
      },
      onThought: (thought) => (isStream ? tellThought(thought) : void (thoughts += thought)),
      onQueued: () => onWait({ reason: 'queued', progress: null }),
    }).finally(() => texts.flush())
    if (signal.aborted) return response.destroy()
    if (isStream && answered.calls.length > 0) tell({ calls: answered.calls })
    const last = isStream ? {} : { text: whole, thought: thoughts, calls: answered.calls }
    const end = {
      model: name,
      created_at: now(),
      ...shape(last),
      ...toScores({ scores: allScores }),
      ...toFigures(answered, loaded, began),
    }
    if (!isStream) return sendJson(response, 200, end)
    sendLine(response, end)
    response.end()
  })
}

/** Responds with the vectors of texts; `isOld` uses the format with one prompt. */
export async function serveVectors(
  models: LoadedModels,
  call: EngineCall,
  isOld: boolean,
): Promise<void> {
  const { body, model: name, file, signal, response } = call
  const began = performance.now()
  const input = isOld ? body['prompt'] : body['input']
  if (isOld && typeof input !== 'string')
    throw new EngineFault(400, 'The field "prompt" must be a text.')
  const keepAlive = readKeepAlive(body['keep_alive'])
  await models.use({ file, keepAlive, signal }, async (model) => {
    const loaded = performance.now() - began
    const wanted = input === '' ? [] : input
    const { vectors, tokens } = await embedTexts(
      model,
      { input: wanted, truncate: body['truncate'], dimensions: body['dimensions'] },
      signal,
    )
    if (isOld) return sendJson(response, 200, { embedding: vectors[0] ?? [] })
    return sendJson(response, 200, {
      model: name,
      embeddings: vectors,
      total_duration: toNanoseconds(performance.now() - began),
      load_duration: toNanoseconds(loaded),
      prompt_eval_count: tokens,
    })
  })
}
