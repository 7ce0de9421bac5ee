import { translate } from '../../lib/i18n.ts'
import { announce } from '../../ui/layout/live-region.tsx'
import {
  type ChatMessage,
  type ChatStore,
  selectIsAnswering,
  selectLastMessage,
} from './chat-store.ts'
import { countWords } from './messages/message-text.ts'

function toEnding(message: ChatMessage | undefined): string {
  if (message?.error?.code === 'stopped') return translate('chat.announce.stopped')
  if (message?.error) return translate('chat.announce.failed')
  return translate('chat.announce.finished', { count: countWords(message?.content ?? '') })
}

/**
 * Announces the start and end of answers to screen readers, but not the streamed text. Returns the
 * function that stops it.
 */
export function announceAnswers(store: ChatStore): () => void {
  return store.subscribe((state, previous) => {
    const isAnswering = selectIsAnswering(state)
    if (isAnswering === selectIsAnswering(previous)) return
    announce(
      isAnswering ? translate('chat.announce.answering') : toEnding(selectLastMessage(state)),
    )
  })
}
