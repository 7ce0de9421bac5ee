import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { CompletionsParts } from '../index.ts'
import type { BackgroundStep, BackgroundWork } from './background-step.ts'
import { writeFollowUps } from './write-follow-ups.ts'
import { writeTags } from './write-tags.ts'
import { writeTitle } from './write-title.ts'

export type BackgroundWish = NonNullable<ChatCompletionRequest['background_tasks']>

/** In the order scripts of the public system expect. */
const STEPS: readonly (readonly [keyof BackgroundWish, BackgroundStep])[] = [
  ['follow_up_generation', writeFollowUps],
  ['title_generation', writeTitle],
  ['tags_generation', writeTags],
]

/** Does what the request wished for, one thing after the other. Never rejects. */
export async function runBackgroundWork(
  parts: CompletionsParts,
  wish: BackgroundWish,
  about: Omit<BackgroundWork, 'thread'>,
): Promise<void> {
  const steps = STEPS.filter(([name]) => wish[name] === true)
  const { chats, log } = parts
  const { userId, chatId, messageId } = about.turn
  for (const [name, step] of steps) {
    if (about.signal.aborted || chats.ownerOf(chatId) !== userId) break
    try {
      const thread = chats.thread(chatId, messageId).filter(({ role }) => role !== 'system')
      await step(parts, { ...about, thread })
    } catch (error) {
      log.info({ error, chat_id: chatId, step: name }, 'something to be written beside an answer failed')
    }
  }
}
