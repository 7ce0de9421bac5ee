import { nowSeconds } from '../lib/ids.ts'
import type { MentionedMessage } from './saving/parse-message.ts'
import type { NewMessageRow, MessageRow } from './chat-rows.ts'

const toFlag = (value: boolean | undefined): number | null =>
  value === undefined ? null : Number(value)

/** Creates the row of a message that is stored for the first time. */
export function toNewRow(
  chatId: string,
  message: MentionedMessage,
  parentId: string | null,
): NewMessageRow {
  const hasModel = message.model !== undefined || message.extra['modelName'] !== undefined
  return {
    chat_id: chatId,
    id: message.id,
    parent_id: parentId,
    role: message.role ?? (hasModel ? 'assistant' : 'user'),
    content: message.content ?? '',
    parts: message.parts ?? null,
    reasoning_content: message.reasoning_content ?? null,
    model: message.model ?? null,
    done: toFlag(message.done),
    running: 0,
    timestamp: message.timestamp ?? nowSeconds(),
    extra: JSON.stringify(message.extra),
  }
}

/**
 * Lays the mentioned fields over the stored message. While the gateway writes an answer, its text
 * is kept.
 */
export function overlayRow(
  row: MessageRow,
  message: MentionedMessage,
  parentId: string | null,
): MessageRow {
  const isRunning = row.running === 1
  const hasContent = message.content !== undefined && !isRunning
  const hasReasoning = message.reasoning_content !== undefined && !isRunning
  const hasExtra = Object.keys(message.extra).length > 0
  return {
    ...row,
    parent_id: parentId,
    role: message.role ?? row.role,
    content: hasContent ? message.content! : row.content,
    parts: hasContent ? (message.parts ?? null) : row.parts,
    reasoning_content: hasReasoning ? message.reasoning_content! : row.reasoning_content,
    model: message.model ?? row.model,
    done: message.done === undefined || isRunning ? row.done : toFlag(message.done),
    timestamp: message.timestamp ?? row.timestamp,
    extra: hasExtra
      ? JSON.stringify({ ...(JSON.parse(row.extra) as object), ...message.extra })
      : row.extra,
  }
}

export const differs = (one: MessageRow, other: MessageRow): boolean =>
  (Object.keys(one) as (keyof MessageRow)[]).some((column) => one[column] !== other[column])
