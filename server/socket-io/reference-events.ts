import type { EventData, PluginEvent } from '#contract/events.ts'
import type { AnswerPlace, UserEvent } from '../events/index.ts'
import { unwrap } from '../lib/plugin-events.ts'

/** Payload of `events` for a client: exactly these fields. */
export interface ReferenceEvent {
  readonly chat_id: string | null
  readonly message_id: string | null
  readonly data: PluginEvent
}

/** Source of the text before a chunk and of chat names. */
export interface ChatTexts {
  textOf(chatId: string, messageId: string): Promise<string>
  titleOf(chatId: string): Promise<string>
}

/** The text of an answer as far as it was sent to clients. */
interface Growing {
  content: string
  reasoning: string
  /** Length of the text sent last. */
  told: number
  isOpen: boolean
  /** Whether a finished answer still has to be reported as filtered. */
  isUnfiltered: boolean
}

/**
 * From this length on, an update is sent only when the text has grown by a share of its length:
 * each update contains the whole text so far.
 */
const LONG_UNITS = 32 * 1024
const SHARE = 32
/** Limit per user. Unfinished answers, such as those of plugins, would accumulate. */
const MOST_ANSWERS = 200

/**
 * Reasoning is included in the text in collapsed form, as clients of the reference system display
 * it.
 */
function withReasoning({ content, reasoning }: Growing): string {
  if (reasoning === '') return content
  const isDone = content !== ''
  const quoted = reasoning.replaceAll('\n', '\n> ')
  return `<details type="reasoning" done="${isDone}">\n<summary>${isDone ? 'Thought' : 'Thinking…'}</summary>\n> ${quoted}\n</details>\n${content}`
}

const chunkOf = (
  messageId: string,
  delta: Readonly<Record<string, string>>,
  finishReason: string | null,
) => ({
  id: `chatcmpl-${messageId}`,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finishReason }],
})

const ofType = (type: string, data: unknown): PluginEvent => ({ type, data })

/** An event of a plugin is passed on; that of the gateway contains nothing else than `done`. */
function toOpenCompletion({ done: _open, ...told }: { done: boolean }): PluginEvent[] {
  return Object.keys(told).length === 0 ? [] : [ofType('chat:completion', told)]
}

/**
 * Reports the chat events of one user to clients of the reference system, in its format
 * (docs/wire-format.md, Socket.IO): the whole text with each chunk, a title as text, tags as a
 * list.
 */
export class ReferenceEvents {
  readonly #texts: ChatTexts
  readonly #answers = new Map<string, Growing>()

  constructor(texts: ChatTexts) {
    this.#texts = texts
  }

  begun({ chatId, messageId }: AnswerPlace): ReferenceEvent[] {
    return [toEvent(chatId, messageId, ofType('chat:active', { active: true }))]
  }

  over({ chatId, messageId }: AnswerPlace): ReferenceEvent[] {
    const filtered = this.#tellFiltered(chatId, messageId)
    this.#answers.delete(`${chatId}/${messageId}`)
    return [...filtered, ofType('chat:active', { active: false })].map((event) =>
      toEvent(chatId, messageId, event),
    )
  }

  async translate({ chat_id, message_id, data }: UserEvent): Promise<ReferenceEvent[]> {
    const events =
      data.type === 'foreign' || chat_id === null
        ? [unwrap(data)]
        : message_id === null
          ? toChatEvents(data)
          : await this.#ofMessage(chat_id, message_id, data)
    return events.map(({ type, data: told }) => toEvent(chat_id, message_id, { type, data: told }))
  }

  #ofMessage(
    chatId: string,
    messageId: string,
    event: EventData,
  ): PluginEvent[] | Promise<PluginEvent[]> {
    switch (event.type) {
      case 'chat:message:delta':
        // An event without an offset comes from a plugin, and is passed on.
        return typeof event.data.offset === 'number'
          ? this.#grow(chatId, messageId, {
              content: event.data.content,
              offset: event.data.offset,
            })
          : [event]
      case 'chat:reasoning:delta':
        return this.#think(chatId, messageId, event.data.content)
      case 'chat:completion':
        return event.data.done
          ? this.#finish(chatId, messageId, event.data)
          : toOpenCompletion(event.data)
      case 'chat:message':
        return [ofType(event.type, { chat_id: chatId, message_id: messageId, ...event.data })]
      case 'source':
        return [event, ofType('chat:completion', { sources: [event.data] })]
      case 'chat:outlet':
        return [this.#toOutlet(chatId, messageId, event.data.messages)]
      case 'chat:message:follow_ups':
      case 'chat:title':
      case 'chat:tags':
        return [...this.#tellFiltered(chatId, messageId), ...toChatEvents(event)]
      default:
        return toChatEvents(event)
    }
  }

  #answer(chatId: string, messageId: string): Growing {
    const key = `${chatId}/${messageId}`
    const known = this.#answers.get(key)
    if (known) return known
    const answer = { content: '', reasoning: '', told: 0, isOpen: false, isUnfiltered: false }
    this.#answers.set(key, answer)
    if (this.#answers.size > MOST_ANSWERS) this.#answers.delete(this.#answers.keys().next().value!)
    return answer
  }

  async #grow(
    chatId: string,
    messageId: string,
    { content, offset }: { readonly content: string; readonly offset: number },
  ): Promise<PluginEvent[]> {
    const answer = this.#answer(chatId, messageId)
    // No client was listening when the text before it arrived.
    if (answer.content.length !== offset)
      answer.content = (await this.#texts.textOf(chatId, messageId)).slice(0, offset)
    answer.content += content
    return this.#tell(messageId, answer)
  }

  #think(chatId: string, messageId: string, content: string): PluginEvent[] {
    const answer = this.#answer(chatId, messageId)
    answer.reasoning += content
    return this.#tell(messageId, answer)
  }

  #tell(messageId: string, answer: Growing): PluginEvent[] {
    const opening = answer.isOpen
      ? []
      : [ofType('chat:completion', chunkOf(messageId, { role: 'assistant', content: '' }, null))]
    answer.isOpen = true
    const units = answer.content.length + answer.reasoning.length
    if (units > LONG_UNITS && units - answer.told < units / SHARE) return opening
    answer.told = units
    return [...opening, ofType('chat:completion', { content: withReasoning(answer) })]
  }

  async #finish(
    chatId: string,
    messageId: string,
    data: Extract<EventData, { type: 'chat:completion' }>['data'],
  ): Promise<PluginEvent[]> {
    const { content = '', reasoning_content: reasoning, error, finish_reason, usage } = data
    if (error) return toFailure(error)
    const answer = this.#answer(chatId, messageId)
    Object.assign(answer, { content, reasoning: reasoning ?? '', isOpen: true, isUnfiltered: true })
    const message = {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: content }],
    }
    return [
      ofType('chat:completion', chunkOf(messageId, {}, finish_reason ?? 'stop')),
      ofType('chat:completion', {
        done: true,
        content: withReasoning(answer),
        output: data['output'] ?? [message],
        title: await this.#texts.titleOf(chatId),
        ...(usage && { usage }),
      }),
    ]
  }

  /** Reports texts that filters changed; reasoning stays part of the text of the answer. */
  #toOutlet(chatId: string, messageId: string, messages: readonly FilteredText[]): PluginEvent {
    const answer = this.#answers.get(`${chatId}/${messageId}`)
    if (answer) answer.isUnfiltered = false
    return ofType('chat:outlet', {
      messages: messages.map((message) =>
        message.id === messageId && answer
          ? toFiltered(messageId, { ...answer, content: message.content })
          : message,
      ),
    })
  }

  /**
   * Reports a finished answer that no filter changed: clients take this event for the end of all
   * filters.
   */
  #tellFiltered(chatId: string, messageId: string): PluginEvent[] {
    const answer = this.#answers.get(`${chatId}/${messageId}`)
    if (!answer?.isUnfiltered) return []
    answer.isUnfiltered = false
    return [ofType('chat:outlet', { messages: [toFiltered(messageId, answer)] })]
  }
}

interface FilteredText {
  readonly id: string
  readonly content: string
}

const toFiltered = (id: string, answer: Growing) => ({
  id,
  role: 'assistant',
  content: withReasoning(answer),
})

const toEvent = (
  chatId: string | null,
  messageId: string | null,
  data: PluginEvent,
): ReferenceEvent => ({ chat_id: chatId, message_id: messageId, data })

/** An abort is reported only as the end of the work. */
function toFailure(error: unknown): PluginEvent[] {
  const { code, content } = error as { code?: unknown; content?: unknown }
  const ended = ofType('chat:tasks:cancel', {})
  return code === 'stopped'
    ? [ended]
    : [ofType('chat:message:error', { error: { content: content ?? 'The answer failed.' } }), ended]
}

/** Start and end are reported per answer; clients that show a list reload it. */
function toChatEvents(event: EventData): PluginEvent[] {
  switch (event.type) {
    case 'chat:active':
    case 'chat:list':
      return []
    case 'chat:title':
      return [ofType(event.type, typeof event.data === 'string' ? event.data : event.data.title)]
    case 'chat:tags': {
      const { data } = event
      const isRecord = typeof data === 'object' && data !== null && 'tags' in data
      return [ofType(event.type, isRecord ? data.tags : data)]
    }
    default:
      return [event]
  }
}
