import type { ChatCompletionChunk } from '#contract/completions.ts'
import type { ResponsesRequest } from '#contract/responses.ts'
import type { DialectStream } from '../dialect-stream.ts'
import { createCallTracker, type CallPiece, type StreamedCall } from '../streamed-calls.ts'
import { newItemId, toEnding, toHead, toState, toUsage } from './convert-answer.ts'
import { createCallItem, createTextItem, type NextNumber, type TextKind, type WrittenItem } from './output-items.ts'

type Fields = Record<string, unknown>

const KEEP_ALIVE = ': keep-alive\n\n'

const withoutBraces = (value: object): string => JSON.stringify(value).slice(1, -1)

const UNFINISHED = withoutBraces({ ...toState({ status: 'in_progress' }), output: [], usage: null })

/** The output of an answer, item by item: each one is done before the next one is added. */
class Output {
  readonly #calls = createCallTracker(() => newItemId('call'))
  readonly #callItems = new Map<StreamedCall, WrittenItem>()
  readonly #items: WrittenItem[] = []
  readonly #next: NextNumber
  #open: WrittenItem | null = null

  constructor(next: NextNumber) {
    this.#next = next
  }

  close(): string {
    const text = this.#open?.end(this.#next) ?? ''
    this.#open = null
    return text
  }

  /** All items as JSON, once they have ended. */
  current(): string {
    return `[${this.#items.map((item) => item.current()).join(',')}]`
  }

  addText(kind: TextKind, text: string): string {
    const begun = this.#open?.owner === kind ? '' : this.#start(createTextItem(kind, this.#items.length))
    return begun + this.#open!.add(text, this.#next)
  }

  addCall(piece: CallPiece): string {
    const progress = this.#calls.read(piece)
    if (!progress) return ''
    const { call, isNew, text } = progress
    const item = this.#callItems.get(call) ?? createCallItem(call, this.#items.length)
    this.#callItems.set(call, item)
    return (isNew ? this.#start(item) : '') + (text === '' ? '' : item.add(text, this.#next))
  }

  #start(item: WrittenItem): string {
    const closed = this.close()
    this.#items.push(item)
    this.#open = item
    return closed + item.begin(this.#next)
  }
}

/** The events of an answer in the order of the responses API. */
export function createResponsesStream(body: ResponsesRequest, extra: Readonly<Record<string, unknown>> = {}): DialectStream {
  const head = withoutBraces({ ...toHead(body), ...extra })
  let sequence = 0
  const next = (): string => String(sequence++)
  const output = new Output(next)
  let hasBegun = false
  let usage: Fields | null = null
  let finish: string | null = null

  const toEvent = (type: string, state: string): string =>
    `event: ${type}\ndata: {"type":"${type}","response":{${head},${state}},"sequence_number":${next()}}\n\n`

  function begin(): string {
    if (hasBegun) return ''
    hasBegun = true
    return toEvent('response.created', UNFINISHED) + toEvent('response.in_progress', UNFINISHED)
  }

  function endWith(type: string, ending: Parameters<typeof toState>[0]): string {
    const begun = begin() + output.close()
    const state = withoutBraces(toState(ending))
    return begun + toEvent(type, `${state},"output":${output.current()},"usage":${JSON.stringify(toUsage(usage))}`)
  }

  function pushDelta({
    reasoning_content: reasoning,
    content,
    tool_calls: pieces,
  }: ChatCompletionChunk['choices'][number]['delta']): string {
    let text = reasoning ? output.addText('reasoning', reasoning) : ''
    if (content) text += output.addText('message', content)
    if (pieces) for (const piece of pieces) text += output.addCall(piece)
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
      const ending = toEnding(finish)
      return endWith(`response.${ending.status}`, ending)
    },
    fail({ message, status }) {
      const code = status === 429 ? 'rate_limit_exceeded' : 'server_error'
      return endWith('response.failed', { status: 'failed', error: { code, message } })
    },
    keepAlive: () => KEEP_ALIVE,
  }
}
