import type { Message } from '#contract/chats.ts'
import type { GatewayEvent, ListReason } from '#contract/events.ts'
import type { Events } from '../events/index.ts'
import { renderChildren, renderMessage } from './render-chat.ts'
import type { MessageRow } from './chat-rows.ts'

/** Beyond this a window reads the chat again instead of taking message after message. */
const LARGEST_ANNOUNCEMENT = 50

interface Place {
  readonly id: string
  readonly user_id: string
}

/** A message as it is shown, without its long texts being written as JSON and read again. */
function toMessage(row: MessageRow, childrenIds: string): Message {
  const short = { ...row, content: '', reasoning_content: row.reasoning_content && '' }
  const message = JSON.parse(renderMessage(short, childrenIds)) as Message
  if (row.parts === null) message.content = row.content
  if (row.reasoning_content !== null) message['reasoning_content'] = row.reasoning_content
  return message
}

/** Tells the windows of a chat's owner what changed; always after the change is committed. */
export class Announce {
  readonly #events: Pick<Events, 'emit'>

  constructor(events: Pick<Events, 'emit'>) {
    this.#events = events
  }

  /** The same for many chats at once, or for folders. */
  allChanged(userId: string, reason: ListReason): void {
    this.#events.emit(userId, {
      chat_id: null,
      message_id: null,
      data: { type: 'chat:list', data: { reason } },
    })
  }

  listChanged(chat: Place, reason: ListReason): void {
    this.#emit(chat, { type: 'chat:list', data: { reason } })
  }

  messagesCreated(chat: Place, rows: readonly MessageRow[]): void {
    if (rows.length > LARGEST_ANNOUNCEMENT) return
    const children = renderChildren(rows, [])
    for (const row of rows) {
      const message = toMessage(row, children.get(row.id) ?? '')
      this.#emit(chat, { type: 'chat:message:created', data: { message } }, row.id)
    }
  }

  renamed(chat: Place, title: string): void {
    this.#emit(chat, { type: 'chat:title', data: { title } })
  }

  contentReplaced(chat: Place, messageId: string, content: string): void {
    this.#emit(chat, { type: 'chat:message', data: { content } }, messageId)
  }

  /** Nobody writes this answer any more, for the reason given. */
  answerClosed(chat: Place, row: MessageRow, error: { content: string; code: string }): void {
    this.#emit(
      chat,
      { type: 'chat:completion', data: { content: row.content, error, done: true } },
      row.id,
    )
    this.#emit(chat, { type: 'chat:active', data: { active: false } })
  }

  #emit(chat: Place, data: GatewayEvent, messageId: string | null = null): void {
    this.#events.emit(chat.user_id, { chat_id: chat.id, message_id: messageId, data })
  }
}
