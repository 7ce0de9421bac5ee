import type { ChatCompletionChunk } from '#contract/completions.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import { SseScanner, type ServerSentEvent } from '../../lib/bytes/sse.ts'
import { parseFrames } from '../compatible/parse-frame.ts'
import type { CompletionFrame } from '../provider.ts'
import { isErrorFrame, type FrameDecoder } from '../upstream/read-frames.ts'
import { isUntypedError } from '../upstream/reported-fault.ts'
import {
  incomplete,
  toErrorFrame,
  toReportedFrame,
  unreadable,
  type FaultContext,
} from '../upstream/upstream-faults.ts'
import { toFinishReason, toUsage } from './convert-answer.ts'
import { toSealedDetail } from './sealed-thoughts.ts'

type Delta = ChatCompletionChunk['choices'][number]['delta']

/** Call whose name is known; the name is sent with the first piece of its arguments. */
interface OpenCall {
  readonly index: number
  readonly id: string
  readonly name: string
  isNamed: boolean
}

/** Thinking texts by block index, because the signature of a block is sent with its whole text. */
class Thoughts {
  readonly #texts = new Map<unknown, string>()

  /** Returns the delta of a piece of thinking; null if the piece is something else. */
  read(index: unknown, { thinking, signature }: Fields): Delta | null {
    if (typeof thinking === 'string') {
      this.#texts.set(index, (this.#texts.get(index) ?? '') + thinking)
      return { reasoning_content: thinking }
    }
    if (typeof signature !== 'string' || signature === '') return null
    return {
      reasoning_details: [
        toSealedDetail(
          { type: 'thinking', thinking: this.#texts.get(index) ?? '', signature },
          Number(index),
        ),
      ],
    }
  }
}

/** Returns the delta of a piece of arguments; the first one carries the name of the call. */
function takePiece(call: OpenCall | undefined, given: string): Delta[] {
  if (!call || (call.isNamed && given === '')) return []
  const { index, id, name, isNamed } = call
  call.isNamed = true
  const start = isNamed
    ? { function: { arguments: given } }
    : { id, type: 'function', function: { name, arguments: given } }
  return [{ tool_calls: [{ index, ...start }] }]
}

const record = (value: unknown): Fields => (isRecord(value) ? value : {})
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Reads the event stream of a provider that speaks the messages API. Unknown events are skipped; an
 * answer with an unreadable one is incomplete.
 */
export class MessagesDecoder implements FrameDecoder {
  readonly #faults: FaultContext
  readonly #head: Omit<ChatCompletionChunk, 'choices'>
  readonly #scanner = new SseScanner()
  readonly #calls = new Map<unknown, OpenCall>()
  readonly #thoughts = new Thoughts()
  #usage: Fields = {}
  #isDone = false
  #isFinished = false

  constructor({ model, faults }: { model: string; faults: FaultContext }) {
    this.#faults = faults
    this.#head = {
      id: `chatcmpl-${newId()}`,
      object: 'chat.completion.chunk',
      created: nowSeconds(),
      model,
    }
  }

  push(chunk: Buffer): CompletionFrame[] {
    return this.#read(this.#scanner.push(chunk))
  }

  end(): CompletionFrame[] {
    const frames = this.#read(this.#scanner.end(), incomplete)
    return this.isComplete() || frames.some(isErrorFrame)
      ? frames
      : [...frames, toErrorFrame(incomplete(this.#faults))]
  }

  isDone(): boolean {
    return this.#isDone
  }

  isComplete(): boolean {
    return this.#isDone || this.#isFinished
  }

  #read(events: readonly ServerSentEvent[], fault = unreadable): CompletionFrame[] {
    return events.flatMap((event) => {
      const values = this.#isDone ? [] : parseFrames(event)
      if (values !== null) return values.flatMap((value) => this.#toFrames(value))
      // If the answer has a stop reason, nothing of it is missing.
      return this.#isFinished ? [] : [toErrorFrame(fault(this.#faults))]
    })
  }

  #toFrames(event: Fields): CompletionFrame[] {
    switch (event['type']) {
      case 'message_start':
        this.#usage = record(record(event['message'])['usage'])
        return [this.#toFrame({ role: 'assistant', content: '' })]
      case 'content_block_start':
        return this.#startBlock(event)
      case 'content_block_delta':
        return this.#readDelta(event)
      case 'content_block_stop':
        return this.#stopBlock(event)
      case 'message_delta':
        return this.#readEnding(event)
      case 'message_stop':
        this.#isDone = true
        return []
      case 'error':
        return [toReportedFrame(event['error'], this.#faults)]
      default:
        return isUntypedError(event) ? [toReportedFrame(event['error'], this.#faults)] : []
    }
  }

  #startBlock(event: Fields): CompletionFrame[] {
    const block = record(event['content_block'])
    if (block['type'] === 'tool_use') {
      this.#calls.set(event['index'], {
        index: this.#calls.size,
        id: text(block['id']),
        name: text(block['name']),
        isNamed: false,
      })
    }
    if (block['type'] === 'redacted_thinking') {
      return [this.#toFrame({ reasoning_details: [toSealedDetail(block, Number(event['index']))] })]
    }
    return text(block['text']) === '' ? [] : [this.#toFrame({ content: text(block['text']) })]
  }

  #readDelta(event: Fields): CompletionFrame[] {
    const delta = record(event['delta'])
    if (typeof delta['text'] === 'string') return [this.#toFrame({ content: delta['text'] })]
    const thought = this.#thoughts.read(event['index'], delta)
    if (thought !== null) return [this.#toFrame(thought)]
    const json = text(delta['partial_json'])
    return json === '' ? [] : this.#addToCall(this.#calls.get(event['index']), json)
  }

  #stopBlock(event: Fields): CompletionFrame[] {
    const call = this.#calls.get(event['index'])
    return call?.isNamed === false ? this.#addToCall(call, '{}') : []
  }

  #readEnding(event: Fields): CompletionFrame[] {
    this.#usage = { ...this.#usage, ...record(event['usage']) }
    const reason = record(event['delta'])['stop_reason']
    if (typeof reason !== 'string') return []
    this.#isFinished = true
    return [{ ...this.#toFrame({}, toFinishReason(reason)), usage: toUsage(this.#usage) }]
  }

  #addToCall(call: OpenCall | undefined, given: string): CompletionFrame[] {
    return takePiece(call, given).map((delta) => this.#toFrame(delta))
  }

  #toFrame(delta: Delta, finish: string | null = null): ChatCompletionChunk {
    return { ...this.#head, choices: [{ index: 0, delta, finish_reason: finish }] }
  }
}
