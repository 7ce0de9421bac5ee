import type { ChatCompletionChunk } from '#contract/completions.ts'
import type { ResponsesRequest } from '#contract/responses.ts'
import type { DialectStream } from '../dialect-stream.ts'
import { createCallTracker, type StreamedCall } from '../streamed-calls.ts'
import { newItemId, toEnding, toHead, toUsage } from './convert-answer.ts'
import { createCallItem, createTextItem, type EventRow, type TextKind, type WrittenItem } from './output-items.ts'

type Fields = Record<string, unknown>

const KEEP_ALIVE = ': keep-alive\n\n'

/** Numbers events. They are put together by hand, because there are so many of them and they repeat so much. */
function createEventWriter() {
  let sequence = 0
  const toText = (type: string, fields: string): string =>
    `event: ${type}\ndata: {"type":"${type}",${fields},"sequence_number":${sequence++}}\n\n`
  return {
    toText,
    toEvent: ([type, fields]: EventRow): string => toText(type, JSON.stringify(fields).slice(1, -1)),
    toDelta: ({ before, after }: WrittenItem, text: string): string => `${before}${JSON.stringify(text)}${after}${sequence++}}\n\n`,
  }
}

/** The output of an answer, item by item: each one is done before the next one is added. */
function createOutput() {
  const { toText, toEvent, toDelta } = createEventWriter()
  const calls = createCallTracker(() => newItemId('call'))
  const callItems = new Map<StreamedCall, WrittenItem>()
  const items: WrittenItem[] = []
  let open: WrittenItem | null = null

  const write = (rows: readonly EventRow[]): string => rows.map(toEvent).join('')

  function close(): string {
    const text = open ? write(open.end()) : ''
    open = null
    return text
  }

  function start(item: WrittenItem): string {
    const closed = close()
    items.push(item)
    open = item
    return closed + write(item.begin())
  }

  function add(item: WrittenItem, text: string): string {
    item.add(text)
    return toDelta(item, text)
  }

  return {
    write,
    close,
    /** The two events before the first item tell the same. */
    begin(head: Fields): string {
      const fields = JSON.stringify({ response: head }).slice(1, -1)
      return toText('response.created', fields) + toText('response.in_progress', fields)
    },
    current: () => items.map((item) => item.current()),
    addText(kind: TextKind, text: string): string {
      const begun = open?.owner === kind ? '' : start(createTextItem(kind, items.length))
      return begun + add(open!, text)
    },
    addCall(piece: Parameters<typeof calls.read>[0]): string {
      const progress = calls.read(piece)
      if (!progress) return ''
      const { call, isNew, text } = progress
      const item = callItems.get(call) ?? createCallItem(call, items.length)
      callItems.set(call, item)
      return (isNew ? start(item) : '') + (text === '' ? '' : add(item, text))
    },
  }
}

/** The events of an answer in the order of the responses API. */
export function createResponsesStream(body: ResponsesRequest, extra: Readonly<Record<string, unknown>> = {}): DialectStream {
  const head = { ...toHead(body), ...extra }
  const output = createOutput()
  let hasBegun = false
  let usage: Fields | null = null
  let finish: string | null = null

  function begin(): string {
    if (hasBegun) return ''
    hasBegun = true
    return output.begin(head)
  }

  function endWith(type: string, ending: Fields): string {
    const begun = begin() + output.close()
    return begun + output.write([[type, { response: { ...head, ...ending, output: output.current(), usage: toUsage(usage) } }]])
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
