import type { ChatCompletionChunk } from '#contract/completions.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import { parseObjects } from '../../lib/json/mend-json.ts'
import { readPluginEvent, type SentEvent } from '../../lib/plugin-events.ts'
import { SseScanner, type ServerSentEvent } from '../../lib/bytes/sse.ts'
import type { CompletionFrame } from '../../providers/index.ts'
import { NameLines } from './name-lines.ts'
import { hasMessage, readChunk } from './read-chunk.ts'

const END_MARK = '[DONE]'

export interface FrameMakerOptions {
  readonly model: string
  /** Receives events for the user that are not part of the answer. */
  readonly tell: (event: SentEvent) => void
}

/** Errors of pipes have several forms. */
function readError(error: unknown): string {
  if (typeof error === 'string') return error
  const { detail, message } = isRecord(error) ? error : {}
  const said = [detail, message].find((each) => typeof each === 'string')
  return said ?? JSON.stringify(error).slice(0, 1000)
}

/** Parts of an answer received so far. */
interface Seen {
  finish: boolean
  endMark: boolean
  chunks: boolean
  failure: boolean
  halfEvent: boolean
}

function isJson(data: string): boolean {
  try {
    JSON.parse(data)
    return true
  } catch {
    return false
  }
}

const BROKEN = 'The pipe ended its answer before it was complete.'

const UNREADABLE = 'The pipe sent a part of an answer whose choices cannot be read.'
const WITHOUT_ANSWER = 'The pipe returned a completion without a message.'

const isStreamedResponse = (value: unknown): boolean =>
  isRecord(value) && value['form'] === 'response' && typeof value['items'] === 'number'

function isBroken({ endMark, failure, halfEvent, chunks }: Seen, returned: unknown): boolean {
  return !failure && (halfEvent || (!endMark && chunks && isStreamedResponse(returned)))
}

/** Returns true if a whole answer has no message. */
const saysNothing = ({ choices, error }: Fields): boolean =>
  Array.isArray(choices) &&
  error == null &&
  !choices.some((choice) => isRecord(choice) && hasMessage(choice))

/** Converts the output of a pipe to frames (docs/plugin-contract.md). */
export class FrameMaker {
  readonly #tell: (event: SentEvent) => void
  readonly #head
  readonly #scanner = new SseScanner()
  readonly #seen: Seen = {
    finish: false,
    endMark: false,
    chunks: false,
    failure: false,
    halfEvent: false,
  }
  readonly #lines = new NameLines()
  /** Choices whose first chunk was made; SDKs expect the role in it. */
  readonly #begun = new Set<number>()
  /** Token counts that arrived before the end of the answer, which carries them. */
  #usage: ChatCompletionChunk['usage']

  constructor({ model, tell }: FrameMakerOptions) {
    this.#tell = tell
    this.#head = {
      id: `chatcmpl-${newId()}`,
      object: 'chat.completion.chunk',
      created: nowSeconds(),
      model,
    }
  }

  /** Returns a frame without text. */
  silence(): CompletionFrame {
    return this.#chunk({})
  }

  /** Handles an item of a generator. */
  item(value: unknown): CompletionFrame[] {
    if (!isRecord(value)) return []
    return this.#withRoles(this.#lines.push(value).flatMap((item) => this.#readItem(item)))
  }

  /**
   * Handles the return value of a pipe that is no generator, and the end of the answer.
   *
   * @NOTE A generator that ends has ended its answer: after its items the gateway writes the finish
   *   reason, whatever they were, because docs/plugin-contract.md says so and pipes rely on it. The
   *   body of a streamed response is passed unchanged instead, so that one with chunks of a
   *   completion must report its end itself; else it is reported as broken, and so is any pipe whose
   *   last event is incomplete. A pipe that raises is reported as an error by its provider.
   */
  end(value: unknown): CompletionFrame[] {
    return this.#withRoles(this.#readEnd(value))
  }

  #readEnd(value: unknown): CompletionFrame[] {
    const frames = [
      ...this.#lines.end().flatMap((item) => this.#readItem(item)),
      ...this.#readReturned(value),
      ...this.#scanner.end().flatMap((event) => this.#readEvent(event)),
    ]
    if (this.#seen.finish) return frames
    return [
      ...frames,
      isBroken(this.#seen, value)
        ? this.#failed(BROKEN, 'upstream_incomplete')
        : this.#withUsage(this.#chunk({}, 'stop')),
    ]
  }

  #withRoles(frames: CompletionFrame[]): CompletionFrame[] {
    return frames.map((frame) => {
      if (!('choices' in frame) || frame.choices.every(({ index }) => this.#begun.has(index)))
        return frame
      const choices = frame.choices.map((choice) => {
        if (this.#begun.has(choice.index)) return choice
        this.#begun.add(choice.index)
        return { ...choice, delta: { role: 'assistant', ...choice.delta } }
      })
      return { ...frame, choices }
    })
  }

  #chunk(delta: Fields, finish: string | null = null): ChatCompletionChunk {
    return {
      ...this.#head,
      choices: [{ index: 0, delta: { ...delta }, finish_reason: finish }],
    }
  }

  #failed(error: unknown, code = 'pipe_failed'): CompletionFrame {
    this.#seen.failure = true
    return { error: { message: readError(error), code, status: 502 } }
  }

  #tellOf(event: Fields): void {
    const read = readPluginEvent(event)
    if (read) this.#tell(read)
  }

  /**
   * Handles a chunk of the stream, a whole completion, or an object that is not part of the answer.
   */
  #readObject(value: Fields): CompletionFrame[] {
    if (value['error'] !== undefined && value['error'] !== null)
      return [this.#failed(value['error'])]
    if (isRecord(value['event'])) {
      this.#tellOf(value['event'])
      return []
    }
    if (Array.isArray(value['sources']))
      for (const data of value['sources']) this.#tellOf({ type: 'source', data })
    const { choices } = value
    if (!Array.isArray(choices)) return []
    if (!choices.every(isRecord)) return [this.#failed(UNREADABLE)]
    this.#seen.chunks = true
    const read = readChunk(value, choices, this.#head)
    if (this.#seen.finish) return [read]
    if (read.choices.length === 0 && read.usage) {
      this.#usage = read.usage
      return []
    }
    if (read.choices.every((choice) => choice.finish_reason == null)) return [read]
    this.#seen.finish = true
    return [this.#withUsage(read)]
  }

  #withUsage(chunk: ChatCompletionChunk): ChatCompletionChunk {
    return this.#usage ? { usage: this.#usage, ...chunk } : chunk
  }

  #readEvent({ name, data }: ServerSentEvent): CompletionFrame[] {
    if (this.#seen.endMark) return []
    if (data.trim() === END_MARK) {
      this.#seen.endMark = true
      return []
    }
    const values = parseObjects(data)
    if (name.trim() === 'error')
      return [this.#failed(values?.[0]?.['error'] ?? values?.[0] ?? data)]
    if (values?.length) return values.flatMap((object) => this.#readObject(object))
    this.#seen.halfEvent ||= data.trimStart().startsWith('{')
    // A line of text that is no completion event is part of the answer.
    return this.#seen.halfEvent || isJson(data) ? [] : [this.#chunk({ content: data })]
  }

  #readRaw(raw: unknown): CompletionFrame[] {
    const bytes = Buffer.isBuffer(raw) ? raw : Buffer.from(typeof raw === 'string' ? raw : '')
    return this.#scanner.push(bytes).flatMap((event) => this.#readEvent(event))
  }

  #readItem(value: Fields): CompletionFrame[] {
    if ('text' in value) return [this.#chunk({ content: String(value['text']) })]
    if ('json' in value)
      return isRecord(value['json'])
        ? this.#readObject(value['json'])
        : [this.#chunk({ content: JSON.stringify(value['json']) })]
    return this.#readRaw(value['raw'])
  }

  #readWhole(value: Fields): CompletionFrame[] {
    return saysNothing(value) ? [this.#failed(WITHOUT_ANSWER)] : this.#readObject(value)
  }

  #readBody(body: unknown): CompletionFrame[] {
    if (isRecord(body) && !Buffer.isBuffer(body)) return this.#readWhole(body)
    const text = Buffer.isBuffer(body)
      ? body.toString('utf8')
      : typeof body === 'string'
        ? body
        : JSON.stringify(body ?? '')
    if (/^\s*data:/.test(text)) return this.#readRaw(text)
    try {
      const value: unknown = JSON.parse(text)
      if (isRecord(value)) return this.#readWhole(value)
    } catch {
      // Plain text is the answer itself.
    }
    return text === '' ? [] : [this.#chunk({ content: text })]
  }

  #readReturned(value: unknown): CompletionFrame[] {
    const { form } = isRecord(value) ? value : {}
    const returned = value as Fields
    if (form === 'text')
      return returned['text'] === '' ? [] : [this.#chunk({ content: String(returned['text']) })]
    if (form === 'json')
      return isRecord(returned['value'])
        ? this.#readWhole(returned['value'])
        : this.#readItem({ json: returned['value'] })
    if (form !== 'response' || isStreamedResponse(value)) return []
    const isFailure = typeof returned['status'] === 'number' && returned['status'] >= 400
    return isFailure
      ? [this.#failed(readFailureBody(returned['body'], returned['status']))]
      : this.#readBody(returned['body'])
  }
}

function readFailureBody(body: unknown, status: unknown): unknown {
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : body
  return typeof text === 'string' && text !== ''
    ? text.slice(0, 1000)
    : `The pipe answered with status ${String(status)}.`
}
