import type { ChatCompletionChunk } from '#contract/completions.ts'
import type { ResponsesRequest } from '#contract/responses.ts'
import { AnswerRoom } from '../../../lib/answer-room.ts'
import type { ServiceError } from '../../../lib/errors.ts'
import { joinEvents, type DialectStream, type Events, type LateText } from '../dialect-stream.ts'
import { createCallTracker, type CallPiece, type StreamedCall } from '../streamed-calls.ts'
import {
  newBirth,
  newItemId,
  resultsOf,
  toEnding,
  toHead,
  toState,
  toUsage,
  wantsSealed,
  wantsSummary,
} from './convert-answer.ts'
import { at, fillLong, LONG_PLACE, toFieldsTemplate, withoutBraces } from './event-template.ts'
import { countUnits, mergeDetails } from '../../../providers/index.ts'
import { sealReasoning } from './kept-reasoning.ts'
import { readTools, type OfferedTools } from './offered-tools.ts'
import {
  createCallItem,
  createImageItem,
  createTextItem,
  type EndStatus,
  type NextNumber,
  type TextKind,
  type WrittenItem,
} from './output-items.ts'
import type { Fields } from '../../../lib/is-record.ts'

const KEEP_ALIVE = ': keep-alive\n\n'

const UNFINISHED = withoutBraces({ ...toState({ status: 'in_progress' }), output: [], usage: null })

const COMPLETED = withoutBraces(toState(toEnding(null)))

// Places: 0 the id, 1 the time, 2 the model.
const PLAIN_HEAD = toFieldsTemplate({
  ...toHead({ model: at(2), input: '' }, { id: at(0), created_at: 0 }),
  created_at: at(1),
})
const PLAIN_FIELDS = new Set(['model', 'input', 'stream'])

/**
 * Returns the head of an answer as JSON without braces. Most requests contain nothing to be
 * repeated in it but the model.
 */
function writeHead(body: ResponsesRequest, extra: Fields): string {
  const birth = newBirth()
  const isPlain =
    Object.keys(body).every((name) => PLAIN_FIELDS.has(name)) && Object.keys(extra).length === 0
  if (!isPlain) return withoutBraces({ ...toHead(body, birth), ...extra })
  return PLAIN_HEAD(`"${birth.id}"`, String(birth.created_at), JSON.stringify(body.model))
}

interface CallItems {
  readonly tools: OfferedTools
  readonly tracker: ReturnType<typeof createCallTracker>
  readonly items: Map<StreamedCall, WrittenItem>
}

/** Output of an answer, item by item: each one is finished before the next one is added. */
class Output {
  /** Created for the first call, because most answers have none. */
  #calls: CallItems | null = null
  readonly #items: WrittenItem[] = []
  readonly #next: NextNumber
  readonly #body: ResponsesRequest
  readonly #thoughts: 'reasoning' | 'summary'
  #open: WrittenItem | null = null
  /** Data that the provider expects back for the reasoning being written. */
  #details: Record<string, unknown>[] = []

  constructor(next: NextNumber, body: ResponsesRequest) {
    this.#next = next
    this.#body = body
    this.#thoughts = wantsSummary(body) ? 'summary' : 'reasoning'
  }

  close(status: EndStatus): Events {
    if (this.#open?.owner === this.#thoughts) this.#open.seal?.((text) => this.#seal(text))
    const events = this.#open?.end(this.#next, status) ?? ''
    this.#open = null
    return events
  }

  /** Returns all items as JSON, once they have ended, in pieces. */
  current(): LateText[] {
    return [
      '[',
      ...this.#items.flatMap((item, index) =>
        index === 0 ? item.current() : [',', ...item.current()],
      ),
      ']',
    ]
  }

  addText(kind: TextKind, text: string): Events {
    const begun =
      this.#open?.owner === kind ? '' : this.#start(createTextItem(kind, this.#items.length))
    return joinEvents(begun, this.#open!.add(text, this.#next))
  }

  addThought(text: string): Events {
    return this.addText(this.#thoughts, text)
  }

  /** Adds sealed details. Reasoning may be sealed entirely, and sealed data may arrive late. */
  addDetails(pieces: unknown): Events {
    mergeDetails(this.#details, pieces)
    return this.#open === null && this.#items.length === 0
      ? this.#start(createTextItem(this.#thoughts, 0))
      : ''
  }

  /** Adds seals that arrived after the reasoning they belong to, which has already been sent. */
  addLateDetails(): Events {
    if (this.#details.length === 0 || this.#open?.owner === this.#thoughts) return ''
    return this.#start(createTextItem(this.#thoughts, this.#items.length))
  }

  #seal(text: string): string | null {
    const details = this.#details
    this.#details = []
    return details.length > 0 || wantsSealed(this.#body)
      ? sealReasoning({ text, details }, this.#body.model)
      : null
  }

  addImage(result: string): Events {
    return this.#start(createImageItem(result, this.#items.length))
  }

  addCall(piece: CallPiece): Events {
    const { tracker, items, tools } = (this.#calls ??= {
      tools: readTools(this.#body),
      tracker: createCallTracker(() => newItemId('call')),
      items: new Map(),
    })
    const progress = tracker.read(piece)
    if (!progress) return ''
    const { call, isNew, text } = progress
    const item = items.get(call) ?? createCallItem(call, tools.find(call.name), this.#items.length)
    items.set(call, item)
    return joinEvents(isNew ? this.#start(item) : '', text === '' ? '' : item.add(text, this.#next))
  }

  #start(item: WrittenItem): Events {
    const closed = this.close('completed')
    this.#items.push(item)
    this.#open = item
    return joinEvents(closed, item.begin(this.#next))
  }
}

/** Emits the events of an answer in the order of the responses API. */
export class ResponsesStream implements DialectStream {
  readonly #head: string
  readonly #output: Output
  readonly #room = new AnswerRoom()
  #sequence = 0
  #hasBegun = false
  #usage: Fields | null = null
  #finish: string | null = null

  constructor(body: ResponsesRequest, extra: Fields = {}) {
    this.#head = writeHead(body, extra)
    this.#output = new Output(() => this.#next(), body)
  }

  push(chunk: ChatCompletionChunk): Events {
    const begun = this.#begin()
    if (chunk.usage) this.#usage = chunk.usage
    const choice = chunk.choices[0]
    if (!choice || choice.index !== 0) return begun
    this.#finish = choice.finish_reason ?? this.#finish
    // The last events repeat everything that was written.
    this.#room.take(countUnits(chunk))
    return joinEvents(begun, this.#pushDelta(choice.delta))
  }

  finish(): Events {
    const ending = toEnding(this.#finish)
    return this.#endWith(`response.${ending.status}`, ending)
  }

  fail({ message, status, param, reported }: ServiceError): Events {
    const code = reported?.code ?? (status === 429 ? 'rate_limit_exceeded' : 'server_error')
    const told = { type: reported?.type, param: reported?.param ?? param }
    return this.#endWith('response.failed', { status: 'failed', error: { code, message, ...told } })
  }

  keepAlive(): string {
    return KEEP_ALIVE
  }

  close(): void {
    this.#room.release()
  }

  #next(): string {
    return String(this.#sequence++)
  }

  #toEvent(type: string, state: string): string {
    return `event: ${type}\ndata: {"type":"${type}","response":{${this.#head},${state}},"sequence_number":${this.#next()}}\n\n`
  }

  #begin(): string {
    if (this.#hasBegun) return ''
    this.#hasBegun = true
    return (
      this.#toEvent('response.created', UNFINISHED) +
      this.#toEvent('response.in_progress', UNFINISHED)
    )
  }

  #endWith(type: string, ending: Parameters<typeof toState>[0]): Events {
    const started = joinEvents(this.#begin(), this.#output.addLateDetails())
    const begun = joinEvents(
      started,
      this.#output.close(ending.status === 'completed' ? 'completed' : 'incomplete'),
    )
    const state = ending.status === 'completed' ? COMPLETED : withoutBraces(toState(ending))
    // The event repeats everything that was written.
    const last = this.#toEvent(
      type,
      `${state},"output":${LONG_PLACE},"usage":${JSON.stringify(toUsage(this.#usage))}`,
    )
    return joinEvents(begun, fillLong(last, this.#output.current()))
  }

  #pushDelta(delta: ChatCompletionChunk['choices'][number]['delta']): Events {
    const {
      reasoning_content: reasoning,
      reasoning_details: details,
      content,
      refusal,
      tool_calls: pieces,
    } = delta
    const output = this.#output
    let events = reasoning ? output.addThought(reasoning) : ''
    if (details) events = joinEvents(events, output.addDetails(details))
    if (content) events = joinEvents(events, output.addText('message', content))
    if (typeof refusal === 'string' && refusal !== '')
      events = joinEvents(events, output.addText('refusal', refusal))
    if (delta['images'])
      for (const result of resultsOf(delta)) events = joinEvents(events, output.addImage(result))
    if (pieces) for (const piece of pieces) events = joinEvents(events, output.addCall(piece))
    return events
  }
}
