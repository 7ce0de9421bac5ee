import { conflict } from '../../lib/errors.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { SentEvent } from '../../lib/plugin-events.ts'
import { applyEvent } from './apply-event.ts'
import { requireFit } from '../../lib/json/record-bounds.ts'
import {
  refreshRow,
  requireMessage,
  requireOpenChat,
  weaveTexts,
  type ChatContext,
} from '../chat-context.ts'
import type { AnswerOpening, AnswerPatch, SaveOptions } from './answer-patch.ts'
import { openAnswer } from './open-answer.ts'
import { patchMessage } from '../saving/patch-message.ts'
import type { MessageRow } from '../chat-rows.ts'

const INTERRUPTED = {
  content: 'The gateway stopped while this answer was being written. What had arrived is kept.',
  code: 'interrupted',
}

/** Error for a second run of the same answer, on any gateway. */
export const alreadyWritten = () =>
  conflict('This answer is already being written. Stop it first, or ask under a new message id.')

/** Stores the messages a run needs and shows new ones in the owner's windows. */
export async function beginAnswer(
  context: ChatContext,
  opening: AnswerOpening,
): Promise<{ repairs: string[]; parentId: string | null }> {
  if (opening.userMessage) requireFit(opening.userMessage, 'The question', context.recordBounds())
  const { chatId, messageId, writer } = opening
  const { chat, opened } = await context.storage.transaction(async () => {
    const before = await requireOpenChat(context, chatId)
    if (writer && (await context.store.writers.hasOther(chatId, messageId, writer)))
      throw alreadyWritten()
    const answer = await openAnswer(context, before, opening)
    if (writer) await context.store.writers.claim(chatId, messageId, writer)
    return { chat: before, opened: answer }
  })
  context.textEvents.forget(chatId, messageId)
  context.announce.messagesCreated(chat, opened.created)
  context.announce.listChanged(chat, 'updated')
  return { repairs: opened.repairs, parentId: opened.parentId }
}

const hasOnlyText = ({
  content: _content,
  reasoning_content: _reasoning,
  ...rest
}: AnswerPatch): boolean => Object.values(rest).every((value) => value === undefined)

/** Writes the changes of an answer; a growing text is one small statement. */
export async function saveAnswer(
  context: ChatContext,
  place: { chatId: string; messageId: string },
  saved: AnswerPatch,
  { written, writer = null }: SaveOptions = {},
): Promise<boolean> {
  const { storage, store, search, textEvents } = context
  const { chatId, messageId } = place
  const patch = weaveTexts(context, place, saved)
  if (hasOnlyText(patch)) {
    return store.saveText(chatId, messageId, {
      content: patch.content ?? null,
      reasoning: patch.reasoning_content ?? null,
      writer,
    })
  }
  return storage.transaction(async () => {
    const isOver = patch.done === true
    if (writer && !(await store.writers.hold(chatId, messageId, { writer, isOver }))) return false
    const row = await store.message(chatId, messageId)
    if (!row) return false
    const patched = patchMessage(row, patch, written)
    await store.updateMessage(patched)
    if (patched.running === 1) return true
    textEvents.forget(chatId, messageId)
    const chat = (await store.chat(chatId))!
    await search.indexMessage(patched, chat.user_id)
    await store.touchChat(chatId, nowSeconds(), chat.current_id)
    return true
  })
}

/**
 * Stores a persisted event; others are not stored. Returns the index of the first added item in its
 * list, if any.
 */
export async function storeEvent(
  context: ChatContext,
  chatId: string,
  messageId: string,
  event: SentEvent,
): Promise<number | null> {
  const { storage, store, search, textEvents, liveAnswers } = context
  const record = context.recordBounds()
  requireFit(event.data, 'The event', record)
  const bounds = { record, characters: context.mostEventCharacters() }
  return storage.transaction(async () => {
    const stored = await requireMessage(context, chatId, messageId)
    const row = refreshRow(context, stored)
    const applied = applyEvent(row, event, bounds)
    if (!applied) return null
    const { row: changed, index } = applied
    const isText = event.type === 'message' || event.type === 'replace'
    if (row.running === 1 && isText && changed.content !== row.content) {
      textEvents.note(stored, event, liveAnswers(chatId, messageId)?.content?.length)
    }
    await store.updateMessage(changed)
    if (changed.content !== row.content)
      await search.indexMessage(changed, (await requireOpenChat(context, chatId)).user_id)
    return index
  })
}

/** Closes answers that are no longer being written; the received text stays. */
export async function closeAnswers(
  context: ChatContext,
  rows: readonly MessageRow[],
  error: { content: string; code: string },
): Promise<void> {
  const { store, search, textEvents } = context
  for (const row of rows) {
    const closed = patchMessage(refreshRow(context, row), { done: true, error })
    textEvents.forget(row.chat_id, row.id)
    await store.updateMessage(closed)
    await search.indexMessage(closed, (await store.chat(row.chat_id))!.user_id)
  }
}

/**
 * Closes answers that a gateway was writing when it ended, and announces it in the windows of their
 * owners: all, or those of gateways that are gone according to `isGone`. Null is a gateway that had
 * the database to itself.
 */
export async function closeUnfinished(
  context: ChatContext,
  isGone?: (replica: string | null) => boolean,
): Promise<number> {
  const { storage, store, announce } = context
  const closed = await storage.transaction(async () => {
    if (!isGone) {
      const unfinished = await store.running()
      await closeAnswers(context, unfinished, INTERRUPTED)
      return unfinished
    }
    const unfinished = await store.writers.abandoned(isGone)
    await closeAnswers(context, unfinished, INTERRUPTED)
    await store.writers.free(unfinished)
    return unfinished
  })
  if (isGone)
    storage.afterCommit(async () => {
      for (const row of closed) {
        const chat = await store.chat(row.chat_id)
        if (chat) announce.answerClosed(chat, refreshRow(context, row), INTERRUPTED)
      }
    })
  return closed.length
}
