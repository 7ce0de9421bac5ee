import type { ChatCompletionRequest } from '#contract/completions.ts'
import { turnEvents, type Turn } from './open-turn.ts'
import type { CompletionsParts } from './index.ts'

const SENTENCES: Readonly<Record<string, string>> = {
  web_search: 'Web search is not set up on this gateway; the model answers without it.',
  image_generation: 'Image generation is not set up on this gateway; the model answers without it.',
  code_interpreter: 'The code interpreter is not set up on this gateway; the model answers without it.',
}

/** Says in the status line of the answer which wanted features it has to do without. */
export function noteMissingFeatures(parts: CompletionsParts, turn: Turn, features: ChatCompletionRequest['features']): void {
  if (!features) return
  const { userId, chatId, messageId, temporarySession } = turn
  for (const [action, description] of Object.entries(SENTENCES)) {
    if (!features[action]) continue
    const data = { type: 'status', data: { action, description, done: true } }
    if (temporarySession === null) parts.chats.applyEvent(chatId, messageId, data)
    turnEvents(parts.events, turn).emit(userId, { chat_id: chatId, message_id: messageId, data })
  }
}
