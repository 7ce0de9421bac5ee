import { createContext, type ReactNode, useContext } from 'react'
import { useStore } from 'zustand'
import type { PictureRights } from '../../ui/pictures/shown-pictures.ts'
import type { CodeCellParts } from '../../ui/markdown/code-cells.ts'
import type { VoiceRights } from '../../ui/voice/voice-rights.ts'
import type { OpenChat } from './chat-registry.ts'
import type { ChatModel, ChatState } from './chat-store.ts'

/** Renders the form for a connection's key; `onRepaired` is called once the new one is stored. */
export type RepairKey = (
  connection: string,
  onRepaired: () => void,
  buttons: ReactNode,
) => ReactNode

/** Context shared by the parts of a conversation. */
export interface ChatView {
  readonly chat: OpenChat
  /** Model of the next message; null if there is none. */
  readonly model: ChatModel | null
  /** True if the user may repair a connection. */
  readonly mayConnect: boolean
  /** Link to the billing page of a connection's account; null for users who may not repair it. */
  readonly payment: ((connection: string) => ReactNode) | null
  /**
   * Form that replaces the rejected key of a connection, with further buttons; null for users who
   * may not repair it.
   */
  readonly repair: RepairKey | null
  /** True if the user may rate answers. */
  readonly mayRate: boolean
  /** The user's permissions for pictures. */
  readonly pictures: PictureRights
  /** The user's permissions for voice. */
  readonly voice: VoiceRights
  readonly regenerate: (answerId: string) => void
  /** Models that another answer can be requested from. */
  readonly models: readonly ChatModel[]
  /** Requests another answer from another model without selecting it for later messages. */
  readonly regenerateWith: (answerId: string, model: ChatModel) => void
  readonly retry: (answerId: string) => void
  /** True if the user may have answers continued. */
  readonly mayContinue: boolean
  /** Continues an incomplete answer. */
  readonly goOn: (answerId: string) => void
  /** Retries without the older half of a conversation that was too long for the model. */
  readonly retryShorter: (answerId: string) => void
  /** Replaces the text of an answer. */
  readonly editAnswer: (answerId: string, text: string) => void
  readonly edit: (messageId: string, text: string, files: readonly unknown[]) => void
  readonly switchTo: (siblingId: string) => void
  /** Shows the branch of a message unless it is on the screen. */
  readonly goTo: (messageId: string) => Promise<void>
  /** Continues with one of several answers. */
  readonly keep: (answerId: string) => void
  /** Merges the answers shown side by side into one. */
  readonly merge: (answerId: string) => void
  /** Stops one of several answers. */
  readonly stopAnswer: (answerId: string) => void
  /** Sends a suggested question. */
  readonly ask: (text: string) => void
  /** Inserts a text into the box for editing before it is sent. */
  readonly propose: (text: string) => void
  /** Appends a quotation to the contents of the box. */
  readonly quote: (text: string) => void
  readonly askToDelete: (messageId: string) => void
  /** Components that run the code of answers; null if that is not permitted. */
  readonly codeCells: CodeCellParts | null
}

export const ChatContext = createContext<ChatView | null>(null)

/** Returns the conversation this component belongs to. */
export function useChatView(): ChatView {
  const view = useContext(ChatContext)
  if (!view) throw new Error('This component only works inside a conversation.')
  return view
}

/** Selects a part of the conversation's state. */
export const useChat = <Part>(select: (state: ChatState) => Part): Part =>
  useStore(useChatView().chat.store, select)
