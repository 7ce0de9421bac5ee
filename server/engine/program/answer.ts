import type { LlamaContextSequence } from 'node-llama-cpp'
import { chooseForm, type AnswerForm } from './choose-form.ts'
import { EngineFault } from './fault.ts'
import type { LoadedModel } from './loaded-model.ts'
import { Probabilities, readAlternatives, type TokenScore } from './probabilities.ts'
import { openLibrary } from './open-library.ts'
import { readInPieces } from './read-in-pieces.ts'
import { readContextLength, readOptions } from './read-options.ts'
import { toHistory } from './to-history.ts'
import type { Fields } from '../../lib/is-record.ts'

/** A tool call in the format of this protocol. */
export interface ToolCall {
  readonly function: { readonly name: string; readonly arguments: unknown }
}

export interface Answered {
  readonly reason: 'stop' | 'length'
  readonly calls: readonly ToolCall[]
  readonly readTokens: number
  readonly writtenTokens: number
  readonly readMilliseconds: number
  readonly writtenMilliseconds: number
}

export interface Answering {
  readonly model: LoadedModel
  readonly body: Fields
  readonly signal: AbortSignal
  readonly onText: (text: string, scores?: readonly TokenScore[]) => void
  readonly onThought: (text: string) => void
  /** Called if the answer has to wait for others. */
  readonly onQueued?: () => void
}

interface Spoken {
  readonly stopReason: string
  readonly calls?: readonly ToolCall[]
}

/** Result for a caller that disconnected. */
const LEFT: Answered = {
  reason: 'stop',
  calls: [],
  readTokens: 0,
  writtenTokens: 0,
  readMilliseconds: 0,
  writtenMilliseconds: 0,
}

type Speak = (sequence: LlamaContextSequence, noteFirst: () => void) => Promise<Spoken>

/** Lends a sequence for the conversation and measures the tokens read and generated. */
async function measure(
  { model, body, signal, onQueued }: Answering,
  speak: Speak,
  probabilities: Probabilities | null = null,
): Promise<Answered> {
  const sequence = await model.lend(readContextLength(body['options']), signal, onQueued)
  if (!sequence) return LEFT
  const before = sequence.tokenMeter.getState()
  const began = performance.now()
  let first = 0
  let asked = 0
  const endPieces = readInPieces(sequence, signal, {
    onQuestion: (tokens) => (asked ||= tokens),
    onProbabilities: probabilities ? (...noted) => probabilities.note(...noted) : undefined,
  })
  try {
    const { stopReason, calls = [] } = await speak(sequence, () => (first ||= performance.now()))
    const used = sequence.tokenMeter.diff(before)
    return {
      reason: stopReason === 'maxTokens' ? 'length' : 'stop',
      calls,
      readTokens: asked,
      writtenTokens: used.usedOutputTokens,
      readMilliseconds: (first || performance.now()) - began,
      writtenMilliseconds: first ? performance.now() - first : 0,
    }
  } catch (error) {
    if (signal.aborted) return LEFT
    throw error
  } finally {
    endPieces()
    model.giveBack(sequence)
  }
}

const toCalls = (
  calls: readonly { functionName: string; params: unknown }[] | undefined,
): ToolCall[] =>
  (calls ?? []).map(({ functionName, params }) => ({
    function: { name: functionName, arguments: params ?? {} },
  }))

/**
 * Limits every answer: a model that does not stop by itself is stopped at the end of its context.
 */
const mostTokens = (sequence: LlamaContextSequence, wanted: number | undefined): number =>
  wanted ?? sequence.contextSize

/** Answers a conversation. */
export async function answerChat(answering: Answering): Promise<Answered> {
  const { body, signal, onText, onThought } = answering
  const { library, llama } = await openLibrary()
  const history = toHistory(body['messages'])
  const options = readOptions(body['options'])
  const form: AnswerForm = await chooseForm(llama, body)
  const alternatives = readAlternatives(body)
  const probabilities =
    alternatives === null
      ? null
      : new Probabilities(alternatives, (token, before) =>
          answering.model.model.detokenize([token], false, before),
        )
  const speak: Speak = async (sequence, noteFirst) => {
    const chat = new library.LlamaChat({ contextSequence: sequence, autoDisposeSequence: false })
    try {
      const { functionCalls, metadata } = await chat.generateResponse(history, {
        ...options,
        ...(form as { grammar?: never; functions?: AnswerForm['functions'] }),
        maxTokens: mostTokens(sequence, options.maxTokens),
        ...(body['think'] === false && { budgets: { thoughtTokens: 0 } }),
        signal,
        stopOnAbortSignal: true,
        onResponseChunk({ text, segmentType, tokens }) {
          noteFirst()
          if (text === '') return
          if (segmentType === undefined) onText(text, probabilities?.take(tokens))
          else onThought(text)
        },
      })
      return { stopReason: metadata.stopReason, calls: toCalls(functionCalls) }
    } finally {
      chat.dispose()
    }
  }
  return measure(answering, speak, probabilities)
}

/** Continues a text as given. */
export async function completeText(answering: Answering, prompt: string): Promise<Answered> {
  const { body, signal, onText } = answering
  const { library, llama } = await openLibrary()
  const options = readOptions(body['options'])
  const { grammar } = await chooseForm(llama, { format: body['format'] })
  return measure(answering, async (sequence, noteFirst) => {
    const completion = new library.LlamaCompletion({
      contextSequence: sequence,
      autoDisposeSequence: false,
    })
    try {
      const { metadata } = await completion.generateCompletionWithMeta(prompt, {
        ...options,
        ...(grammar && { grammar }),
        maxTokens: mostTokens(sequence, options.maxTokens),
        signal,
        stopOnAbortSignal: true,
        onTextChunk(text) {
          noteFirst()
          if (text !== '') onText(text)
        },
      })
      return { stopReason: metadata.stopReason }
    } finally {
      completion.dispose()
    }
  })
}

/** Answers a prompt: unchanged with `raw`, else as the only message of a conversation. */
export function answerPrompt(answering: Answering): Promise<Answered> {
  const { body } = answering
  const { prompt = '', system, raw, suffix } = body
  if (typeof prompt !== 'string') throw new EngineFault(400, 'The field "prompt" must be a text.')
  if (suffix) throw new EngineFault(400, 'This engine does not fill in the middle of a text.')
  if (raw === true) return completeText(answering, prompt)
  const messages = [
    ...(typeof system === 'string' && system !== '' ? [{ role: 'system', content: system }] : []),
    { role: 'user', content: prompt, images: body['images'] },
  ]
  return answerChat({ ...answering, body: { ...body, messages } })
}
