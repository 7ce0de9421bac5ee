import { createContext, type ReactNode, useContext } from 'react'
import { useStore } from 'zustand'
import type { PictureRights } from '../../ui/pictures/shown-pictures.ts'
import type { CodeCellParts } from '../../ui/markdown/code-cells.ts'
import type { VoiceRights } from '../../ui/voice/voice-rights.ts'
import type { OpenChat } from './chat-registry.ts'
import type { ChatModel, ChatState } from './chat-store.ts'

/** What the parts of a conversation on the screen share. */
export interface ChatView {
  readonly chat: OpenChat
  /** The model the next message goes to; null while there is none. */
  readonly model: ChatModel | null
  /** Whether this person may mend a connection. */
  readonly mayConnect: boolean
  /** Where the account behind a connection is paid for; null for who may not mend it. */
  readonly payment: ((connection: string) => ReactNode) | null
  /** Whether this person may rate answers. */
  readonly mayRate: boolean
  /** What this person may do with pictures. */
  readonly pictures: PictureRights
  /** What this person may do by voice. */
  readonly voice: VoiceRights
  readonly regenerate: (answerId: string) => void
  /** The models an answer can be asked for again. */
  readonly models: readonly ChatModel[]
  /** Asks for another answer from another model, without choosing it for what follows. */
  readonly regenerateWith: (answerId: string, model: ChatModel) => void
  readonly retry: (answerId: string) => void
  /** Whether this person may have answers continued. */
  readonly mayContinue: boolean
  /** Goes on with an answer that stops before its end. */
  readonly goOn: (answerId: string) => void
  /** Asks again without the older half of a conversation that was too long for the model. */
  readonly retryShorter: (answerId: string) => void
  /** Replaces the text of an answer. */
  readonly editAnswer: (answerId: string, text: string) => void
  readonly edit: (messageId: string, text: string, files: readonly unknown[]) => void
  readonly switchTo: (siblingId: string) => void
  /** Shows the branch of a message unless it is on the screen. */
  readonly goTo: (messageId: string) => Promise<void>
  /** Goes on with one of several answers. */
  readonly keep: (answerId: string) => void
  /** Makes one answer of those that stand side by side. */
  readonly merge: (answerId: string) => void
  /** Stops one of several answers. */
  readonly stopAnswer: (answerId: string) => void
  /** Sends a question that was suggested. */
  readonly ask: (text: string) => void
  /** Puts a text into the box, to be changed before it is sent. */
  readonly propose: (text: string) => void
  /** Puts a quotation below what is already in the box. */
  readonly quote: (text: string) => void
  readonly askToDelete: (messageId: string) => void
  /** What runs the code of answers; null where nobody may. */
  readonly codeCells: CodeCellParts | null
}

export const ChatContext = createContext<ChatView | null>(null)

/** The conversation this component belongs to. */
export function useChatView(): ChatView {
  const view = useContext(ChatContext)
  if (!view) throw new Error('This component only works inside a conversation.')
  return view
}

/** A part of the conversation's state. */
export const useChat = <Part>(select: (state: ChatState) => Part): Part =>
  useStore(useChatView().chat.store, select)
