import type { ChatCompletionChunk } from '#contract/completions.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import { isRecord } from '../../lib/is-record.ts'
import { createSseScanner } from '../../lib/sse.ts'
import type { CompletionFrame } from '../../providers/index.ts'
import { readChunk } from './read-chunk.ts'

type Fields = Readonly<Record<string, unknown>>

/** Makes frames of whatever a pipe gives out (plugin contract §5). */
export interface FrameMaker {
  /** An item of a generator. */
  item(item: unknown): CompletionFrame[]
  /** What the pipe returned, when it was no generator, and the end of the answer. */
  end(value: unknown): CompletionFrame[]
}

export interface FrameMakerOptions {
  readonly model: string
  /** Takes what is for the person rather than part of the answer. */
  readonly tell: (event: { type: string; data: unknown }) => void
}

/** Errors of pipes come in several shapes. */
function readError(error: unknown): string {
  if (typeof error === 'string') return error
  const { detail, message } = isRecord(error) ? error : {}
  const said = [detail, message].find((each) => typeof each === 'string')
  return said ?? JSON.stringify(error).slice(0, 1000)
}

export function createFrameMaker({ model, tell }: FrameMakerOptions): FrameMaker {
  const head = { id: `chatcmpl-${newId()}`, object: 'chat.completion.chunk', created: nowSeconds(), model }
  const scanner = createSseScanner()
  let isFinished = false

  const chunk = (delta: Fields, finish: string | null = null): ChatCompletionChunk => ({
    ...head,
    choices: [{ index: 0, delta: { ...delta }, finish_reason: finish }],
  })
  const failed = (error: unknown): CompletionFrame => ({ error: { message: readError(error), code: 'pipe_failed', status: 502 } })

  /** A chunk of the stream, a whole completion, or something beside the answer. */
  function readObject(value: Fields): CompletionFrame[] {
    if (value['error'] !== undefined && value['error'] !== null) return [failed(value['error'])]
    if (isRecord(value['event'])) {
      tell({ type: String(value['event']['type']), data: value['event']['data'] })
      return []
    }
    if (Array.isArray(value['sources'])) for (const source of value['sources']) tell({ type: 'source', data: source })
    if (!Array.isArray(value['choices'])) return []
    const read = readChunk(value, value['choices'], head)
    if (read.choices.some((choice) => choice.finish_reason != null)) isFinished = true
    return [read]
  }

  function readData(data: string): CompletionFrame[] {
    if (data === '[DONE]') return []
    try {
      const value: unknown = JSON.parse(data)
      return isRecord(value) ? readObject(value) : []
    } catch {
      return [chunk({ content: data })]
    }
  }
  const readRaw = (raw: unknown): CompletionFrame[] => {
    const bytes = Buffer.isBuffer(raw) ? raw : Buffer.from(typeof raw === 'string' ? raw : '')
    return scanner.push(bytes).flatMap(readData)
  }

  function item(value: unknown): CompletionFrame[] {
    if (!isRecord(value)) return []
    if ('text' in value) return [chunk({ content: String(value['text']) })]
    if ('json' in value) return isRecord(value['json']) ? readObject(value['json']) : [chunk({ content: JSON.stringify(value['json']) })]
    return readRaw(value['raw'])
  }

  function readBody(body: unknown): CompletionFrame[] {
    if (isRecord(body) && !Buffer.isBuffer(body)) return readObject(body)
    const text = Buffer.isBuffer(body) ? body.toString('utf8') : typeof body === 'string' ? body : JSON.stringify(body ?? '')
    if (/^\s*data:/.test(text)) return readRaw(text)
    try {
      const value: unknown = JSON.parse(text)
      if (isRecord(value)) return readObject(value)
    } catch {
      // Plain text is the answer itself.
    }
    return text === '' ? [] : [chunk({ content: text })]
  }

  function readReturned(value: unknown): CompletionFrame[] {
    const { form } = isRecord(value) ? value : {}
    const returned = value as Fields
    if (form === 'text') return returned['text'] === '' ? [] : [chunk({ content: String(returned['text']) })]
    if (form === 'json') return item({ json: returned['value'] })
    if (form !== 'response' || typeof returned['items'] === 'number') return []
    const isFailure = typeof returned['status'] === 'number' && returned['status'] >= 400
    return isFailure ? [failed(readFailureBody(returned['body'], returned['status']))] : readBody(returned['body'])
  }

  return {
    item,
    end(value) {
      const frames = [...readReturned(value), ...scanner.end().flatMap(readData)]
      return isFinished ? frames : [...frames, chunk({}, 'stop')]
    },
  }
}

function readFailureBody(body: unknown, status: unknown): unknown {
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : body
  return typeof text === 'string' && text !== '' ? text.slice(0, 1000) : `The pipe answered with status ${String(status)}.`
}
