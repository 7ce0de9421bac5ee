import type { ReactNode } from 'react'
import type { Model } from '#contract/models.ts'

/**
 * What the shell hands to the conversation view, so that features need not know each other. In return the view carries the
 * targets of the skip links: `id="messages"` (focusable) on the message log and `id="composer"` on the text box.
 */
export interface ChatSlots {
  /** The chat shown; null is the empty page for a new one. */
  readonly chatId: string | null
  /** A message to bring into view and mark, for example a search hit. */
  readonly messageId: string | null
  /** The model for the next message; null while there is none. */
  readonly model: Model | null
  readonly modelsStatus: 'loading' | 'ready' | 'failed'
  /** The button that chooses the model, for the composer. */
  readonly modelPicker: ReactNode
  /** Shown on the empty page instead of suggestions when no model is connected. */
  readonly connectHint: ReactNode
  /** For the greeting. */
  readonly userName: string
  /** Tells the shell which model an opened chat was held with. */
  readonly onChatModel: (modelId: string) => void
  /** Tells the shell that a new chat was stored under this id; the shell goes there. */
  readonly onChatCreated: (chatId: string) => void
}
