import type { ChatCompletion, ChatCompletionChunk } from '#contract/completions.ts'
import { keepFlat } from '../../lib/answer-room.ts'
import { logProbabilitiesOf, mergeDetails } from '../../providers/index.ts'
import { addressOfImage, listImages } from '../../lib/images/image-parts.ts'
import type { BegunAnswer } from '../turn/begun-answer.ts'
import { normalizeUsage } from '../generate/normalize-usage.ts'
import { addUsage } from '../tools/sum-usage.ts'

type ToolCall = NonNullable<ChatCompletion['choices'][number]['message']['tool_calls']>[number]

/** Answer collected so far by a run. Offsets and lengths are UTF-16 units. */
export interface Answer {
  readonly content: string
  readonly reasoning: string
  /** Seconds from the first reasoning chunk to the first content chunk; null without reasoning. */
  readonly reasoningSeconds: number | null
  /** Seconds from the request to the end of the answer. */
  readonly seconds: number
  readonly toolCalls: readonly ToolCall[]
  /** Refusal text the model wrote instead of an answer. */
  readonly refusal: string
  /** Signed or encrypted reasoning that the provider expects back with the next question. */
  readonly reasoningDetails: readonly Readonly<Record<string, unknown>>[]
  /** Images in the model's answer, as message parts. */
  readonly images: readonly unknown[]
  /** Log probabilities of the tokens, if the caller asked for them. */
  readonly logProbabilities: readonly unknown[]
  readonly usage: Record<string, unknown> | null
  readonly finishReason: string | null
  readonly upstreamId: string | null
  /** Length of everything the model wrote, including the arguments of tool calls. */
  readonly size: number
  append(chunk: ChatCompletionChunk): void
  /** Stops the timers. */
  close(): void
}

interface AnswerOptions {
  readonly now?: () => number
  /** First part of the answer, to which the chunks are appended. */
  readonly begun?: BegunAnswer | null
}

/** Higher than any model requests at once; further calls of a faulty model are dropped. */
const MAX_TOOL_CALLS = 1000
const MAX_IMAGES = 100

/**
 * A class, because getters on a plain object would keep a whole answer in memory until a full
 * garbage collection.
 */
class CollectedAnswer implements Answer {
  readonly toolCalls: ToolCall[] = []
  readonly reasoningDetails: Record<string, unknown>[] = []
  readonly images: unknown[] = []
  readonly logProbabilities: unknown[] = []
  refusal = ''
  content = ''
  reasoning = ''
  usage: Record<string, unknown> | null = null
  finishReason: string | null = null
  upstreamId: string | null = null
  readonly #now: () => number
  readonly #start: number
  #end: number | null = null
  #reasoningStart: number | null = null
  #reasoningEnd: number | null = null
  #argumentUnits = 0
  #imageUnits = 0
  #flat = 0

  readonly #begun: BegunAnswer | null

  constructor({ now = () => performance.now(), begun = null }: AnswerOptions) {
    this.#now = now
    this.#start = now()
    this.#begun = begun
    if (begun === null) return
    this.content = begun.content
    this.reasoning = begun.reasoning
    this.usage = begun.usage && { ...begun.usage }
  }

  get reasoningSeconds(): number | null {
    const before = this.#begun?.reasoningSeconds ?? 0
    if (this.#reasoningStart === null) return before === 0 ? null : before
    const seconds = toSeconds((this.#reasoningEnd ?? this.#now()) - this.#reasoningStart)
    return addSeconds(before, seconds)
  }

  get seconds(): number {
    const seconds = toSeconds((this.#end ?? this.#now()) - this.#start)
    return addSeconds(this.#begun?.seconds ?? 0, seconds)
  }

  get size(): number {
    return this.content.length + this.reasoning.length + this.#argumentUnits + this.#imageUnits
  }

  append(chunk: ChatCompletionChunk): void {
    this.upstreamId ??= chunk.id ?? null
    if (chunk.usage) this.usage = addUsage(this.#begun?.usage ?? null, normalizeUsage(chunk.usage))
    const choice = chunk.choices[0]
    if (!choice) return
    const { delta } = choice
    if (typeof delta.reasoning_content === 'string' && delta.reasoning_content !== '') {
      const isSecond = this.#reasoningStart === null && this.reasoning !== ''
      this.reasoning += `${isSecond ? '\n\n' : ''}${delta.reasoning_content}`
      this.#reasoningStart ??= this.#now()
    }
    if (typeof delta.content === 'string' && delta.content !== '') {
      this.content += delta.content
      this.#flat = keepFlat(this.content, this.#flat)
      if (this.#reasoningStart !== null) this.#reasoningEnd ??= this.#now()
    }
    if (typeof delta['refusal'] === 'string') this.refusal += delta['refusal']
    if (delta['reasoning_details'] !== undefined)
      mergeDetails(this.reasoningDetails, delta['reasoning_details'])
    for (const score of logProbabilitiesOf(choice)) this.logProbabilities.push(score)
    for (const image of listImages(delta)) {
      if (this.images.length === MAX_IMAGES) break
      this.images.push(image)
      this.#imageUnits += addressOfImage(image)?.length ?? 0
    }
    for (const call of delta.tool_calls ?? []) {
      mergeToolCall(this.toolCalls, call)
      this.#argumentUnits += call.function?.arguments?.length ?? 0
    }
    this.finishReason = choice.finish_reason ?? this.finishReason
  }

  close(): void {
    this.#end ??= this.#now()
    if (this.#reasoningStart !== null) this.#reasoningEnd ??= this.#now()
  }
}

export const createAnswer = (options: AnswerOptions = {}): Answer => new CollectedAnswer(options)

const addSeconds = (first: number, second: number): number => toSeconds((first + second) * 1000)

const toSeconds = (milliseconds: number): number => Math.round(milliseconds / 100) / 10

/** Chunks of one call share its index; the arguments grow chunk by chunk. */
function mergeToolCall(calls: ToolCall[], piece: ToolCall): void {
  const known = calls.find((call) => call.index !== undefined && call.index === piece.index)
  if (!known) {
    if (calls.length === MAX_TOOL_CALLS) return
    calls.push(structuredClone(piece))
    return
  }
  if (piece.id) known.id = piece.id
  if (!piece.function) return
  const { name, arguments: more } = piece.function
  known.function ??= {}
  if (name) known.function.name = name
  if (more) known.function.arguments = (known.function.arguments ?? '') + more
}
