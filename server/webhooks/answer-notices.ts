import type { Storage } from '../storage/index.ts'
import type { Webhooks } from './webhooks.ts'

/** The message an answer is stored in. */
interface AnswerPlace {
  readonly userId: string
  readonly chatId: string
  readonly messageId: string
}

/**
 * Stores finished answers together with whom else to tell of them, so that neither is there without
 * the other. `isFocused` says whether somebody has a window in front, and needs no other word.
 */
export const createAnswerNotices = (
  storage: Storage,
  webhooks: Webhooks,
  isFocused: (userId: string) => boolean,
) => ({
  save: ({ userId, chatId, messageId }: AnswerPlace, save: () => Promise<void>) =>
    storage.transaction(async () => {
      await save()
      await webhooks.events.tellOf('message.created', userId, {
        subject: { id: messageId },
        data: { chat_id: chatId, role: 'assistant' },
      })
      return isFocused(userId)
        ? null
        : await webhooks.tellAnswer(userId, { chat_id: chatId, message_id: messageId })
    }),
  release: (notice: string) => webhooks.releaseAnswer(notice),
})
