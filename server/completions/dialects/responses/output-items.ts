import { keepFlat } from '../../../lib/answer-room.ts'
import type { Events, LateText } from '../dialect-stream.ts'
import type { StreamedCall } from '../streamed-calls.ts'
import {
  newCallItemId,
  newItemId,
  toCallItem,
  toImageItem,
  toKnownCallItem,
  toMessageItem,
  toReasoningItem,
  toRefusalItem,
  toSummaryItem,
  toSummaryPart,
  toTextPart,
} from './convert-answer.ts'
import {
  at,
  fillLong,
  isLong,
  LONG_PLACE,
  toEventTemplate,
  toLiteral,
  toTemplate,
} from './event-template.ts'
import type { OfferedTool } from './offered-tools.ts'

/** Returns the next sequence number of an event. */
export type NextNumber = () => string

/** End status of an item: an answer that ends before it is complete is cut off in its last item. */
export type EndStatus = 'completed' | 'incomplete'

/**
 * Output item while it is being written; its events are built from templates, because they are very
 * repetitive.
 */
export interface WrittenItem {
  readonly owner: TextKind | StreamedCall | 'image'
  begin(next: NextNumber): string
  add(text: string, next: NextNumber): string
  end(next: NextNumber, status: EndStatus): Events
  /** Returns the item as JSON, once it has ended; in pieces if it is long. */
  current(): readonly LateText[]
  /** For reasoning: sets the data its caller sends back, which is known when the item ends. */
  seal?(read: (text: string) => string | null): void
}

/** Events about content parts. */
const CONTENT = { parts: 'response.content_part', partPlace: { content_index: 0 } } as const

/**
 * Kinds of items whose text grows in one part: the part, the name of the events about its text, and
 * the fields these repeat.
 */
const TEXT_KINDS = {
  message: {
    part: toTextPart,
    events: 'response.output_text',
    idPrefix: 'msg',
    toItem: (id: string, text: string, status?: string, _sealed?: string) =>
      toMessageItem(id, text, status),
    extra: { logprobs: [] },
    field: 'text',
    begun: { content: [] },
    ...CONTENT,
  },
  refusal: {
    part: (refusal: string) => ({ type: 'refusal', refusal }),
    events: 'response.refusal',
    idPrefix: 'msg',
    toItem: (id: string, text: string, status?: string, _sealed?: string) =>
      toRefusalItem(id, text, status),
    extra: {},
    field: 'refusal',
    begun: { content: [] },
    ...CONTENT,
  },
  reasoning: {
    part: (text: string) => ({ type: 'reasoning_text', text }),
    events: 'response.reasoning_text',
    idPrefix: 'rs',
    toItem: toReasoningItem,
    extra: {},
    field: 'text',
    begun: { content: [] },
    ...CONTENT,
  },
  summary: {
    part: toSummaryPart,
    events: 'response.reasoning_summary_text',
    idPrefix: 'rs',
    toItem: toSummaryItem,
    extra: {},
    field: 'text',
    begun: { summary: [] },
    parts: 'response.reasoning_summary_part',
    partPlace: { summary_index: 0 },
  },
} as const
export type TextKind = keyof typeof TEXT_KINDS

// Places in all templates: 0 the event number, 1 the item id, 2 its index in the output, 3 text, 4
// end status, 5 and 6 further values.
const ITEM_PLACE = { item_id: at(1), output_index: at(2) }
const itemDone = toEventTemplate('response.output_item.done', { output_index: at(2), item: at(3) })

function toTextTemplates(kind: TextKind) {
  const { part, events, toItem, extra, field, begun, parts, partPlace } = TEXT_KINDS[kind]
  const place = { ...ITEM_PLACE, ...partPlace }
  return {
    added: toEventTemplate('response.output_item.added', {
      output_index: at(2),
      item: { ...toItem(at(1), '', 'in_progress'), ...begun },
    }),
    partAdded: toEventTemplate(`${parts}.added`, { ...place, part: part('') }),
    delta: toEventTemplate(`${events}.delta`, { ...place, delta: at(3), ...extra }),
    done: toEventTemplate(`${events}.done`, { ...place, [field]: at(3), ...extra }),
    partDone: toEventTemplate(`${parts}.done`, { ...place, part: part(at(3)) }),
    item: toTemplate(toItem(at(1), at(3), at(4), at(5))),
  }
}

const TEXT_TEMPLATES = {
  message: toTextTemplates('message'),
  refusal: toTextTemplates('refusal'),
  reasoning: toTextTemplates('reasoning'),
  summary: toTextTemplates('summary'),
}

class TextItem implements WrittenItem {
  readonly owner: TextKind
  readonly #id: string
  readonly #place: string
  #text = ''
  #flat = 0
  #shortLiteral: string | null = null
  #status: EndStatus = 'completed'
  #sealed: string | null = null

  constructor(kind: TextKind, place: number) {
    this.owner = kind
    this.#id = `"${newItemId(TEXT_KINDS[kind].idPrefix)}"`
    this.#place = String(place)
  }

  begin(next: NextNumber): string {
    const { added, partAdded } = TEXT_TEMPLATES[this.owner]
    return added(next(), this.#id, this.#place) + partAdded(next(), this.#id, this.#place)
  }

  add(text: string, next: NextNumber): string {
    this.#text += text
    this.#flat = keepFlat(this.#text, this.#flat)
    return TEXT_TEMPLATES[this.owner].delta(next(), this.#id, this.#place, JSON.stringify(text))
  }

  seal(read: (text: string) => string | null): void {
    this.#sealed = read(this.#text)
  }

  end(next: NextNumber, status: EndStatus): Events {
    this.#status = status
    const { done, partDone } = TEXT_TEMPLATES[this.owner]
    const [id, place] = [this.#id, this.#place]
    const [first, second, third] = [next(), next(), next()]
    if (!isLong(this.#text)) {
      const literal = this.#literal()
      return (
        done(first, id, place, literal) +
        partDone(second, id, place, literal) +
        itemDone(third, '', place, this.#toItem(literal))
      )
    }
    const literal = toLiteral(this.#text)
    return [
      ...fillLong(done(first, id, place, LONG_PLACE), literal),
      ...fillLong(partDone(second, id, place, LONG_PLACE), literal),
      ...fillLong(itemDone(third, '', place, this.#toItem(LONG_PLACE)), literal),
    ]
  }

  current(): readonly LateText[] {
    return isLong(this.#text)
      ? fillLong(this.#toItem(LONG_PLACE), toLiteral(this.#text))
      : [this.#toItem(this.#literal())]
  }

  #toItem(literal: string): string {
    return TEXT_TEMPLATES[this.owner].item(
      '',
      this.#id,
      '',
      literal,
      `"${this.#status}"`,
      JSON.stringify(this.#sealed),
    )
  }

  /** Returns a short text as JSON, once it has ended. */
  #literal(): string {
    return (this.#shortLiteral ??= JSON.stringify(this.#text))
  }
}

const CALL_EVENTS = 'response.function_call_arguments'
const CALL = { id: at(6), name: at(5), arguments: at(3) }
const CALL_TEMPLATES = {
  added: toEventTemplate('response.output_item.added', {
    output_index: at(2),
    item: toCallItem(at(1), { ...CALL, arguments: '' }, 'in_progress'),
  }),
  delta: toEventTemplate(`${CALL_EVENTS}.delta`, { ...ITEM_PLACE, delta: at(3) }),
  done: toEventTemplate(`${CALL_EVENTS}.done`, { ...ITEM_PLACE, name: at(5), arguments: at(3) }),
  item: toTemplate(toCallItem(at(1), CALL, at(4))),
}

class CallItem implements WrittenItem {
  readonly owner: StreamedCall
  readonly #id = `"${newItemId('fc')}"`
  readonly #place: string
  readonly #name: string
  readonly #callId: string
  #status: EndStatus = 'completed'

  constructor(call: StreamedCall, place: number) {
    this.owner = call
    this.#place = String(place)
    this.#name = JSON.stringify(call.name)
    this.#callId = JSON.stringify(call.id)
  }

  begin(next: NextNumber): string {
    return CALL_TEMPLATES.added(next(), this.#id, this.#place, '', '', this.#name, this.#callId)
  }

  /** The call stores its own text. */
  add(text: string, next: NextNumber): string {
    return CALL_TEMPLATES.delta(next(), this.#id, this.#place, JSON.stringify(text))
  }

  end(next: NextNumber, status: EndStatus): Events {
    this.#status = status
    const given = this.owner.arguments
    const [first, second] = [next(), next()]
    const literal = toLiteral(given)
    const events = [
      ...fillLong(
        CALL_TEMPLATES.done(first, this.#id, this.#place, LONG_PLACE, '', this.#name),
        literal,
      ),
      ...fillLong(itemDone(second, '', this.#place, this.#toItem()), literal),
    ]
    return isLong(given) ? events : events.join('')
  }

  current(): readonly LateText[] {
    return fillLong(this.#toItem(), toLiteral(this.owner.arguments))
  }

  #toItem(): string {
    return CALL_TEMPLATES.item(
      '',
      this.#id,
      '',
      LONG_PLACE,
      `"${this.#status}"`,
      this.#name,
      this.#callId,
    )
  }
}

const CUSTOM_EVENTS = 'response.custom_tool_call_input'

/**
 * Call of a tool other than a plain function. Its text can be sent only when complete, because it
 * is wrapped in JSON.
 */
class KnownCallItem implements WrittenItem {
  readonly owner: StreamedCall
  readonly #tool: OfferedTool
  readonly #id: string
  readonly #place: number
  #status: EndStatus = 'completed'

  constructor(call: StreamedCall, tool: OfferedTool, place: number) {
    this.owner = call
    this.#tool = tool
    this.#id = newCallItemId(tool)
    this.#place = place
  }

  begin(next: NextNumber): string {
    const item = toKnownCallItem(
      this.#tool,
      { ...this.owner, arguments: '' },
      { id: this.#id, status: 'in_progress' },
    )
    return this.#toEvent('response.output_item.added', { item }, next())
  }

  add(): string {
    return ''
  }

  end(next: NextNumber, status: EndStatus): Events {
    this.#status = status
    const item = this.#item()
    const about = { item_id: this.#id }
    const grown =
      this.#tool.kind === 'custom'
        ? this.#toEvent(`${CUSTOM_EVENTS}.delta`, { ...about, delta: item['input'] }, next()) +
          this.#toEvent(`${CUSTOM_EVENTS}.done`, { ...about, input: item['input'] }, next())
        : this.#tool.kind === 'function'
          ? this.#toEvent(
              `${CALL_EVENTS}.delta`,
              { ...about, delta: this.owner.arguments },
              next(),
            ) +
            this.#toEvent(
              `${CALL_EVENTS}.done`,
              { ...about, name: this.#tool.name, arguments: this.owner.arguments },
              next(),
            )
          : ''
    return grown + this.#toEvent('response.output_item.done', { item }, next())
  }

  current(): readonly LateText[] {
    return [() => JSON.stringify(this.#item())]
  }

  #item() {
    return toKnownCallItem(this.#tool, this.owner, { id: this.#id, status: this.#status })
  }

  #toEvent(type: string, fields: object, number: string): string {
    const data = JSON.stringify({
      type,
      ...fields,
      output_index: this.#place,
      sequence_number: Number(number),
    })
    return `event: ${type}\ndata: ${data}\n\n`
  }
}

const IMAGE_TEMPLATES = {
  added: toEventTemplate('response.output_item.added', {
    output_index: at(2),
    item: toImageItem(at(1), null, 'in_progress'),
  }),
  completed: toEventTemplate('response.image_generation_call.completed', ITEM_PLACE),
  item: toTemplate(toImageItem(at(1), at(3))),
}

/** Image, which arrives complete. */
class ImageItem implements WrittenItem {
  readonly owner = 'image'
  readonly #id = `"${newItemId('ig')}"`
  readonly #place: string
  readonly #result: string

  constructor(result: string, place: number) {
    this.#result = result
    this.#place = String(place)
  }

  begin(next: NextNumber): string {
    return IMAGE_TEMPLATES.added(next(), this.#id, this.#place)
  }

  add(): string {
    return ''
  }

  end(next: NextNumber): Events {
    const completed = IMAGE_TEMPLATES.completed(next(), this.#id, this.#place)
    return [
      completed,
      ...fillLong(itemDone(next(), '', this.#place, this.#toItem()), toLiteral(this.#result)),
    ]
  }

  current(): readonly LateText[] {
    return fillLong(this.#toItem(), toLiteral(this.#result))
  }

  #toItem(): string {
    return IMAGE_TEMPLATES.item('', this.#id, '', LONG_PLACE)
  }
}

export const createImageItem = (result: string, place: number): WrittenItem =>
  new ImageItem(result, place)

export const createTextItem = (kind: TextKind, place: number): WrittenItem =>
  new TextItem(kind, place)

export const createCallItem = (call: StreamedCall, tool: OfferedTool, place: number): WrittenItem =>
  tool.kind === 'function' && tool.namespace === null
    ? new CallItem(call, place)
    : new KnownCallItem(call, tool, place)
