import type { ChatCompletionChunk } from '#contract/completions.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import { isRecord } from '../../lib/is-record.ts'
import { createSseScanner, type ServerSentEvent } from '../../lib/sse.ts'
import { parseFrames } from '../compatible/parse-frame.ts'
import type { CompletionFrame } from '../provider.ts'
import { isErrorFrame, type FrameDecoder } from '../read-frames.ts'
import { isUntypedError } from '../reported-fault.ts'
import {
  incomplete,
  toErrorFrame,
  toReportedFrame,
  unreadable,
  type FaultContext,
} from '../upstream-faults.ts'
import { toFinishReason, toUsage } from './convert-answer.ts'
import { toSealedDetail } from './sealed-thoughts.ts'

type Fields = Record<string, unknown>
type Delta = ChatCompletionChunk['choices'][number]['delta']

/** A call whose name is known; it is told with the first piece of its arguments. */
interface OpenCall {
  readonly index: number
  readonly id: string
  readonly name: string
  isTold: boolean
}

/** Thoughts by the number of their block, because the seal of a block is told with all of them. */
class Thoughts {
  readonly #texts = new Map<unknown, string>()

  /** What a piece says of thoughts; null when it says nothing of them. */
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

/** What a piece of arguments adds to a call, whose name goes with the first one. */
function takePiece(call: OpenCall | undefined, given: string): Delta[] {
  if (!call || (call.isTold && given === '')) return []
  const { index, id, name, isTold } = call
  call.isTold = true
  const start = isTold
    ? { function: { arguments: given } }
    : { id, type: 'function', function: { name, arguments: given } }
  return [{ tool_calls: [{ index, ...start }] }]
}

const record = (value: unknown): Fields => (isRecord(value) ? value : {})
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Reads the event stream of a provider that speaks the messages API. Events it does not know are
 * skipped; an answer with one that cannot be read is incomplete.
 */
export function createMessagesDecoder(model: string, context: FaultContext): FrameDecoder {
  const scanner = createSseScanner()
  const head = {
    id: `chatcmpl-${newId()}`,
    object: 'chat.completion.chunk',
    created: nowSeconds(),
    model,
  }
  const calls = new Map<unknown, OpenCall>()
  const thoughts = new Thoughts()
  let usage: Fields = {}
  let isDone = false
  let isFinished = false

  const toFrame = (delta: Delta, finish: string | null = null): ChatCompletionChunk => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })

  const tellCall = (call: OpenCall | undefined, given: string): CompletionFrame[] =>
    takePiece(call, given).map((delta) => toFrame(delta))

  function startBlock(event: Fields): CompletionFrame[] {
    const block = record(event['content_block'])
    if (block['type'] === 'tool_use') {
      calls.set(event['index'], {
        index: calls.size,
        id: text(block['id']),
        name: text(block['name']),
        isTold: false,
      })
    }
    if (block['type'] === 'redacted_thinking') {
      return [toFrame({ reasoning_details: [toSealedDetail(block, Number(event['index']))] })]
    }
    return text(block['text']) === '' ? [] : [toFrame({ content: text(block['text']) })]
  }

  function readDelta(event: Fields): CompletionFrame[] {
    const delta = record(event['delta'])
    if (typeof delta['text'] === 'string') return [toFrame({ content: delta['text'] })]
    const told = thoughts.read(event['index'], delta)
    if (told !== null) return [toFrame(told)]
    const json = text(delta['partial_json'])
    return json === '' ? [] : tellCall(calls.get(event['index']), json)
  }

  function stopBlock(event: Fields): CompletionFrame[] {
    const call = calls.get(event['index'])
    return call?.isTold === false ? tellCall(call, '{}') : []
  }

  function toFrames(event: Fields): CompletionFrame[] {
    switch (event['type']) {
      case 'message_start':
        usage = record(record(event['message'])['usage'])
        return [toFrame({ role: 'assistant', content: '' })]
      case 'content_block_start':
        return startBlock(event)
      case 'content_block_delta':
        return readDelta(event)
      case 'content_block_stop':
        return stopBlock(event)
      case 'message_delta':
        usage = { ...usage, ...record(event['usage']) }
        if (typeof record(event['delta'])['stop_reason'] !== 'string') return []
        isFinished = true
        return [
          {
            ...toFrame({}, toFinishReason(record(event['delta'])['stop_reason'])),
            usage: toUsage(usage),
          },
        ]
      case 'message_stop':
        isDone = true
        return []
      case 'error':
        return [toReportedFrame(event['error'], context)]
      default:
        return isUntypedError(event) ? [toReportedFrame(event['error'], context)] : []
    }
  }

  function read(events: readonly ServerSentEvent[], fault = unreadable): CompletionFrame[] {
    return events.flatMap((event) => {
      const values = isDone ? [] : parseFrames(event)
      if (values !== null) return values.flatMap(toFrames)
      // Nothing of the answer is missing any more once it told why it ended.
      return isFinished ? [] : [toErrorFrame(fault(context))]
    })
  }

  return {
    push: (chunk) => read(scanner.push(chunk)),
    end() {
      const frames = read(scanner.end(), incomplete)
      return isDone || isFinished || frames.some(isErrorFrame)
        ? frames
        : [...frames, toErrorFrame(incomplete(context))]
    },
    isDone: () => isDone,
    isComplete: () => isDone || isFinished,
  }
}
