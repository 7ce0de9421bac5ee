import type { Message } from '#contract/chats.ts'
import type { GatewayEvent, ListReason } from '#contract/events.ts'
import type { Events } from '../events/index.ts'
import { renderChildren, renderMessage } from './reading/render-chat.ts'
import type { MessageRow } from './chat-rows.ts'

/** Beyond this number a window reads the chat again instead of single messages. */
const LARGEST_ANNOUNCEMENT = 50

interface Place {
  readonly id: string
  readonly user_id: string
}

/** Converts a row to a message without serializing and parsing its long texts. */
function toMessage(row: MessageRow, childrenIds: string): Message {
  const short = { ...row, content: '', reasoning_content: row.reasoning_content && '' }
  const message = JSON.parse(renderMessage(short, childrenIds)) as Message
  if (row.parts === null) message.content = row.content
  if (row.reasoning_content !== null) message['reasoning_content'] = row.reasoning_content
  return message
}

/** Notifies the windows of a chat's owner of changes; always after the commit. */
export class Announce {
  readonly #events: Pick<Events, 'emit'>

  constructor(events: Pick<Events, 'emit'>) {
    this.#events = events
  }

  /** Announces a change of many chats at once, or of folders. */
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

  /** Announces that an answer is no longer being written, for the given reason. */
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
