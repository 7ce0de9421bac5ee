import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Chats, SpokenMessage } from '../../chats/index.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { Turn } from '../turn/open-turn.ts'
import type { BackgroundStep, BackgroundWork } from './background-step.ts'
import { writeFollowUps } from './write-follow-ups.ts'
import { writeTags } from './write-tags.ts'
import { writeTitle } from './write-title.ts'

export type BackgroundWish = NonNullable<ChatCompletionRequest['background_tasks']>

/** In the order that scripts for the reference system expect. */
const STEPS: readonly (readonly [keyof BackgroundWish, BackgroundStep])[] = [
  ['follow_up_generation', writeFollowUps],
  ['title_generation', writeTitle],
  ['tags_generation', writeTags],
]

/** Number of messages read in addition to the requested ones, because some may not count. */
const SPARE = 10

/**
 * Reads the last messages; see `BackgroundWork`. The amount read depends on the requested count,
 * not on the length of the chat.
 */
async function readEnd(
  chats: Chats,
  { chatId, messageId }: Turn,
  count: number,
): Promise<ChatCompletionRequest['messages']> {
  const isHeard = ({ role }: SpokenMessage) => role !== 'system'
  if (count !== Infinity) {
    const end = await chats.thread(chatId, messageId, count + SPARE)
    const isWhole = end.length < count + SPARE
    const shown = end.filter(({ role }) => role === 'user' || role === 'assistant')
    if (isWhole || (shown.length >= count && shown.some(({ role }) => role === 'user')))
      return end.filter(isHeard)
  }
  return (await chats.spokenThread(chatId, messageId)).filter(isHeard)
}

/** Runs the requested background steps one after the other. Never rejects. */
export async function runBackgroundWork(
  parts: CompletionsParts,
  wish: BackgroundWish,
  about: Omit<BackgroundWork, 'readEnd'>,
): Promise<void> {
  const steps = STEPS.filter(([name]) => wish[name] === true)
  const { chats, log } = parts
  const { userId, chatId } = about.turn
  for (const [name, step] of steps) {
    if (about.signal.aborted || (await chats.ownerOf(chatId)) !== userId) break
    try {
      await step(parts, { ...about, readEnd: (count) => readEnd(chats, about.turn, count) })
    } catch (error) {
      log.info(
        { error, chat_id: chatId, step: name },
        'a text generated alongside an answer failed',
      )
    }
  }
}
