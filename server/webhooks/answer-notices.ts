import type { Storage } from '../storage/index.ts'
import type { Webhooks } from './webhooks.ts'

/** Location of the message with the answer. */
interface AnswerPlace {
  readonly userId: string
  readonly chatId: string
  readonly messageId: string
}

/**
 * Stores finished answers together with the notices about them, so that neither exists without the
 * other. `isFocused` reports whether a user has a window in the foreground, and needs no notice.
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
