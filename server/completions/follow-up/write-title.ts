import type { CompletionsParts } from '../completions-parts.ts'
import { toOneLine } from '#contract/short-title.ts'
import { DEFAULT_TITLE, textOf, toShortTitle } from '../message-text.ts'
import { askAboutThread, type BackgroundStep, type BackgroundWork } from './background-step.ts'
import { parseTitle } from './read-title.ts'

/** One question and its answer. */
const ONE_EXCHANGE = 2

/**
 * Names a chat after its last question and answer. Every request for a title is served, unless the
 * chat was renamed while it was being answered. If no model can generate one, the beginning of the
 * question is used for a chat that has no name or no other question.
 */
export const writeTitle: BackgroundStep = async (parts, work) => {
  const { chats, events } = parts
  const { userId, chatId, messageId } = work.turn
  const messages = await work.readEnd(ONE_EXCHANGE + 1)
  const asked = messages.findLast(({ role }) => role === 'user')
  const question = textOf(asked?.['content'])
  const before = await chats.title(chatId)
  if (!asked || (before !== work.titleBefore && !isUnnamed(before, question))) return
  const isFirst = messages.length <= ONE_EXCHANGE
  const title =
    (await askForTitle(parts, work)) ??
    (isFirst || isUnnamed(before, question) ? toShortTitle(question) : before)
  // The chat may have been renamed or deleted meanwhile.
  if (
    (await chats.ownerOf(chatId)) !== userId ||
    (await chats.title(chatId)) !== before ||
    title === before
  )
    return
  await chats.setTitle(chatId, title)
  events.emit(userId, {
    chat_id: chatId,
    message_id: messageId,
    data: { type: 'chat:title', data: { title } },
  })
}

/**
 * Returns true if a chat has its initial name: the beginning of its question, cut at a length the
 * window chose.
 */
function isUnnamed(title: string, question: string): boolean {
  const stem = toOneLine(title)
    .replace(/(…|\.\.\.)$/, '')
    .trimEnd()
  return title === DEFAULT_TITLE || toOneLine(question).startsWith(stem)
}

async function askForTitle(parts: CompletionsParts, work: BackgroundWork): Promise<string | null> {
  try {
    return parseTitle(await askAboutThread(parts, 'title', work))
  } catch (error) {
    parts.log.info({ error, chat_id: work.turn.chatId }, 'the model returned no title')
    return null
  }
}
