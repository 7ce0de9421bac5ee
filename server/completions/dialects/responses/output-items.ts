import type { StreamedCall } from '../streamed-calls.ts'
import { newItemId, toCallItem, toMessageItem, toReasoningItem, toTextPart, type OutputItem } from './convert-answer.ts'

type Fields = Record<string, unknown>

/** An event without its number. */
export type EventRow = readonly [type: string, fields: Fields]

/** An item of the output while it is being written. */
export interface WrittenItem {
  readonly owner: TextKind | StreamedCall
  /** A delta up to its text, and from there to the number of the event: all that its deltas have in common. */
  readonly before: string
  readonly after: string
  begin(): EventRow[]
  add(text: string): void
  end(): EventRow[]
  current(): OutputItem
}

/** The kinds of items whose text grows in one part: the part, the name of the events about its text, and what these repeat. */
const TEXT_KINDS = {
  message: { part: toTextPart, events: 'response.output_text', idPrefix: 'msg', toItem: toMessageItem, extra: { logprobs: [] } },
  reasoning: {
    part: (text: string) => ({ type: 'reasoning_text', text }),
    events: 'response.reasoning_text',
    idPrefix: 'rs',
    toItem: toReasoningItem,
    extra: {},
  },
} as const
export type TextKind = keyof typeof TEXT_KINDS

function toDeltaFrame(events: string, fields: Fields, extra: Fields): Pick<WrittenItem, 'before' | 'after'> {
  const type = `${events}.delta`
  const rest = JSON.stringify(extra).slice(1, -1)
  return {
    before: `event: ${type}\ndata: ${JSON.stringify({ type, ...fields }).slice(0, -1)},"delta":`,
    after: `,${rest === '' ? '' : `${rest},`}"sequence_number":`,
  }
}

/** A message or reasoning at a place of the output. */
export function createTextItem(kind: TextKind, output_index: number): WrittenItem {
  const { part, events, idPrefix, toItem, extra } = TEXT_KINDS[kind]
  const id = newItemId(idPrefix)
  const place = { item_id: id, output_index, content_index: 0 }
  let text = ''
  return {
    owner: kind,
    ...toDeltaFrame(events, place, extra),
    begin: () => [
      ['response.output_item.added', { output_index, item: { ...toItem(id, '', 'in_progress'), content: [] } }],
      ['response.content_part.added', { ...place, part: part('') }],
    ],
    add(more) {
      text += more
    },
    end: () => [
      [`${events}.done`, { ...place, text, ...extra }],
      ['response.content_part.done', { ...place, part: part(text) }],
      ['response.output_item.done', { output_index, item: toItem(id, text) }],
    ],
    current: () => toItem(id, text),
  }
}

/** A tool call at a place of the output. */
export function createCallItem(call: StreamedCall, output_index: number): WrittenItem {
  const events = 'response.function_call_arguments'
  const id = newItemId('fc')
  const place = { item_id: id, output_index }
  return {
    owner: call,
    ...toDeltaFrame(events, place, {}),
    begin: () => [['response.output_item.added', { output_index, item: toCallItem(id, { ...call, arguments: '' }, 'in_progress') }]],
    // The call keeps its own text.
    add: () => undefined,
    end: () => [
      [`${events}.done`, { ...place, name: call.name, arguments: call.arguments }],
      ['response.output_item.done', { output_index, item: toCallItem(id, call) }],
    ],
    current: () => toCallItem(id, call),
  }
}
