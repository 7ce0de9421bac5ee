import type { ChatCompletionChunk } from '#contract/completions.ts'
import { toErrorBody } from '../../../lib/to-error.ts'
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

/** A block being written. Its deltas differ only in the text between `before` and `AFTER`. */
interface OpenBlock {
  readonly owner: StreamedCall | 'text' | 'thinking'
  readonly index: number
  readonly before: string
}

const AFTER = '}}\n\n'
const PING = 'event: ping\ndata: {"type":"ping"}\n\n'

/** How the blocks of text begin, and the names of their deltas. */
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

/**
 * The blocks of an answer; each is closed before the next one begins. Only when an upstream mixes
 * the pieces of several tool calls, a late piece goes to a block that is closed already.
 */
function createBlocks() {
  const calls = createCallTracker(newToolUseId)
  const callBlocks = new Map<StreamedCall, OpenBlock>()
  let open: OpenBlock | null = null
  let count = 0

  function close(): string {
    const text = open ? toEvent('content_block_stop', { index: open.index }) : ''
    open = null
    return text
  }

  function start(
    owner: OpenBlock['owner'],
    block: object,
    delta: { delta: string; field: string },
  ): string {
    const closed = close()
    const index = count
    count += 1
    const shape = JSON.stringify({
      type: 'content_block_delta',
      index,
      delta: { type: delta.delta, [delta.field]: '' },
    })
    open = {
      owner,
      index,
      before: `event: content_block_delta\ndata: ${shape.slice(0, -'""}}'.length)}`,
    }
    return closed + toEvent('content_block_start', { index, content_block: block })
  }

  const add = ({ before }: OpenBlock, text: string): string => before + JSON.stringify(text) + AFTER

  return {
    close,
    hasCalls: () => callBlocks.size > 0,
    /**
     * What the provider sealed: the signature of the thoughts being shown, or a block of its own.
     */
    addSealed(sealed: Readonly<Record<string, unknown>>): string {
      if (sealed['type'] === 'thinking' && open?.owner === 'thinking') {
        return toEvent('content_block_delta', {
          index: open.index,
          delta: { type: 'signature_delta', signature: sealed['signature'] },
        })
      }
      if (sealed['type'] === 'thinking') return ''
      return start('thinking', sealed, TEXT_KINDS.thinking) + close()
    },
    addText(kind: keyof typeof TEXT_KINDS, text: string): string {
      const begun =
        open?.owner === kind ? '' : start(kind, TEXT_KINDS[kind].block, TEXT_KINDS[kind])
      return begun + add(open!, text)
    },
    addCall(piece: CallPiece): string {
      const progress = calls.read(piece)
      if (!progress) return ''
      const { call, isNew, text } = progress
      const block = { type: 'tool_use', id: call.id, name: call.name, input: {} }
      const begun = isNew
        ? start(call, block, { delta: 'input_json_delta', field: 'partial_json' })
        : ''
      if (isNew) callBlocks.set(call, open!)
      return begun + (text === '' ? '' : add(callBlocks.get(call)!, text))
    },
  }
}

/** The events of an answer in the order of the messages API. */
export function createMessagesStream({
  model,
  showsThinking,
  sources,
  estimateInput,
}: AnswerOptions): DialectStream {
  const blocks = createBlocks()
  let hasBegun = false
  let usage: Record<string, unknown> | null = null
  let finish: string | null = null
  let isRefused = false

  let estimated: number | null = null
  const estimate = (): number => (estimated ??= estimateInput?.() ?? 0)

  function begin(): string {
    if (hasBegun) return ''
    hasBegun = true
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
          usage: { input_tokens: estimate(), output_tokens: 0 },
          ...(sources && { sources }),
        },
      }) + PING
    )
  }

  function pushDelta({
    reasoning_content: reasoning,
    reasoning_details: details,
    content,
    refusal,
    tool_calls: pieces,
  }: ChatCompletionChunk['choices'][number]['delta']): string {
    let text = reasoning && showsThinking ? blocks.addText('thinking', reasoning) : ''
    if (details && showsThinking)
      for (const sealed of toSealedBlocks(details)) text += blocks.addSealed(sealed)
    if (content) text += blocks.addText('text', content)
    if (typeof refusal === 'string' && refusal !== '') {
      isRefused = true
      text += blocks.addText('text', refusal)
    }
    if (pieces) for (const piece of pieces) text += blocks.addCall(piece)
    return text
  }

  return {
    push(chunk) {
      const begun = begin()
      if (chunk.usage) usage = chunk.usage
      const choice = chunk.choices[0]
      if (!choice || choice.index !== 0) return begun
      finish = choice.finish_reason ?? finish
      return begun + pushDelta(choice.delta)
    },
    finish() {
      const delta = {
        stop_reason: toStopReason(finish, { hasCalls: blocks.hasCalls(), isRefused }),
        stop_sequence: null,
      }
      return (
        begin() +
        blocks.close() +
        toEvent('message_delta', {
          delta,
          usage: toUsage(usage ?? { prompt_tokens: estimate() }),
        }) +
        toEvent('message_stop', {})
      )
    },
    fail: (error) => toEvent('error', { error: toErrorBody(error, 'messages')['error'] }),
    keepAlive: () => begin() || PING,
  }
}
