import type { ChatCompletionChunk } from '#contract/completions.ts'
import type { ServiceError } from '../../../lib/errors.ts'
import { toErrorBody } from '../../../lib/serving/to-error.ts'
import { toSealedBlocks } from '../../../providers/index.ts'
import type { DialectStream } from '../dialect-stream.ts'
import { createCallTracker, type CallPiece, type StreamedCall } from '../streamed-calls.ts'
import {
  newMessageId,
  newToolUseId,
  toStopReason,
  toUsage,
  type AnswerOptions,
} from './convert-answer.ts'

/** Block being written. Its deltas differ only in the text between `before` and `AFTER`. */
interface OpenBlock {
  readonly owner: StreamedCall | 'text' | 'thinking'
  readonly index: number
  readonly before: string
}

const AFTER = '}}\n\n'
const PING = 'event: ping\ndata: {"type":"ping"}\n\n'

/** Initial contents of text blocks, and the names of their deltas. */
const TEXT_KINDS = {
  text: { block: { type: 'text', text: '' }, delta: 'text_delta', field: 'text' },
  thinking: {
    block: { type: 'thinking', thinking: '', signature: '' },
    delta: 'thinking_delta',
    field: 'thinking',
  },
} as const

const toEvent = (type: string, fields: Record<string, unknown>): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

const addTo = ({ before }: OpenBlock, text: string): string => before + JSON.stringify(text) + AFTER

/**
 * Blocks of an answer; each is closed before the next one starts. Only if an upstream interleaves
 * the chunks of several tool calls, a late chunk goes to a block that is already closed.
 */
class Blocks {
  readonly #calls = createCallTracker(newToolUseId)
  readonly #callBlocks = new Map<StreamedCall, OpenBlock>()
  #open: OpenBlock | null = null
  #count = 0

  close(): string {
    const text = this.#open ? toEvent('content_block_stop', { index: this.#open.index }) : ''
    this.#open = null
    return text
  }

  hasCalls(): boolean {
    return this.#callBlocks.size > 0
  }

  /**
   * Adds data sealed by the provider: the signature of the current thinking block, or a separate
   * block.
   */
  addSealed(sealed: Readonly<Record<string, unknown>>): string {
    if (sealed['type'] === 'thinking' && this.#open?.owner === 'thinking') {
      return toEvent('content_block_delta', {
        index: this.#open.index,
        delta: { type: 'signature_delta', signature: sealed['signature'] },
      })
    }
    if (sealed['type'] === 'thinking') return ''
    return this.#start('thinking', sealed, TEXT_KINDS.thinking) + this.close()
  }

  addText(kind: keyof typeof TEXT_KINDS, text: string): string {
    const begun =
      this.#open?.owner === kind ? '' : this.#start(kind, TEXT_KINDS[kind].block, TEXT_KINDS[kind])
    return begun + addTo(this.#open!, text)
  }

  addCall(piece: CallPiece): string {
    const progress = this.#calls.read(piece)
    if (!progress) return ''
    const { call, isNew, text } = progress
    const block = { type: 'tool_use', id: call.id, name: call.name, input: {} }
    const begun = isNew
      ? this.#start(call, block, { delta: 'input_json_delta', field: 'partial_json' })
      : ''
    if (isNew) this.#callBlocks.set(call, this.#open!)
    return begun + (text === '' ? '' : addTo(this.#callBlocks.get(call)!, text))
  }

  #start(
    owner: OpenBlock['owner'],
    block: object,
    delta: { delta: string; field: string },
  ): string {
    const closed = this.close()
    const index = this.#count
    this.#count += 1
    const shape = JSON.stringify({
      type: 'content_block_delta',
      index,
      delta: { type: delta.delta, [delta.field]: '' },
    })
    this.#open = {
      owner,
      index,
      before: `event: content_block_delta\ndata: ${shape.slice(0, -'""}}'.length)}`,
    }
    return closed + toEvent('content_block_start', { index, content_block: block })
  }
}

/** Emits the events of an answer in the order of the messages API. */
export class MessagesStream implements DialectStream {
  readonly #options: AnswerOptions
  readonly #blocks = new Blocks()
  #hasBegun = false
  #usage: Record<string, unknown> | null = null
  #finish: string | null = null
  #isRefused = false
  #estimated: number | null = null

  constructor(options: AnswerOptions) {
    this.#options = options
  }

  push(chunk: ChatCompletionChunk): string {
    const begun = this.#begin()
    if (chunk.usage) this.#usage = chunk.usage
    const choice = chunk.choices[0]
    if (!choice || choice.index !== 0) return begun
    this.#finish = choice.finish_reason ?? this.#finish
    return begun + this.#pushDelta(choice.delta)
  }

  finish(): string {
    const delta = {
      stop_reason: toStopReason(this.#finish, {
        hasCalls: this.#blocks.hasCalls(),
        isRefused: this.#isRefused,
      }),
      stop_sequence: null,
    }
    return (
      this.#begin() +
      this.#blocks.close() +
      toEvent('message_delta', {
        delta,
        usage: toUsage(this.#usage ?? { prompt_tokens: this.#estimate() }),
      }) +
      toEvent('message_stop', {})
    )
  }

  fail(error: ServiceError): string {
    return toEvent('error', { error: toErrorBody(error, 'messages')['error'] })
  }

  keepAlive(): string {
    return this.#begin() || PING
  }

  #estimate(): number {
    return (this.#estimated ??= this.#options.estimateInput?.() ?? 0)
  }

  #begin(): string {
    const { model, sources } = this.#options
    if (this.#hasBegun) return ''
    this.#hasBegun = true
    const head = {
      id: newMessageId(),
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
    }
    return (
      toEvent('message_start', {
        message: {
          ...head,
          usage: { input_tokens: this.#estimate(), output_tokens: 0 },
          ...(sources && { sources }),
        },
      }) + PING
    )
  }

  #pushDelta({
    reasoning_content: reasoning,
    reasoning_details: details,
    content,
    refusal,
    tool_calls: pieces,
  }: ChatCompletionChunk['choices'][number]['delta']): string {
    let text =
      reasoning && this.#options.showsThinking ? this.#blocks.addText('thinking', reasoning) : ''
    if (details && this.#options.showsThinking)
      for (const sealed of toSealedBlocks(details)) text += this.#blocks.addSealed(sealed)
    if (content) text += this.#blocks.addText('text', content)
    if (typeof refusal === 'string' && refusal !== '') {
      this.#isRefused = true
      text += this.#blocks.addText('text', refusal)
    }
    if (pieces) for (const piece of pieces) text += this.#blocks.addCall(piece)
    return text
  }
}
