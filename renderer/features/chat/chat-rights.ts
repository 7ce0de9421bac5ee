import type { AttachRights } from './attachments/attach-menu.tsx'

/** What the signed-in person may do in a conversation; the gateway decides, this only spares useless offers. */
export interface ChatRights {
  readonly system: boolean
  readonly params: boolean
  readonly temporary: boolean
  /** Whether models are told what is remembered about the person. */
  readonly memories: boolean
  /** Chats of this person are never stored. */
  readonly isTemporaryEnforced: boolean
  /** Whether answers can be rated. */
  readonly rating: boolean
  readonly attach: AttachRights
  readonly webSearch: WebSearchRights
}

export interface WebSearchRights {
  /** Whether there is a switch for it. */
  readonly isOffered: boolean
  /** Whether it would find anything: switched on, with an engine. */
  readonly isReady: boolean
  /** Whether this person may set it up. */
  readonly mayConfigure: boolean
}

export const ALL_RIGHTS: ChatRights = Object.freeze({
  system: true,
  params: true,
  temporary: true,
  memories: false,
  isTemporaryEnforced: false,
  rating: true,
  attach: Object.freeze({ upload: true, page: true, notes: true }),
  webSearch: Object.freeze({ isOffered: false, isReady: false, mayConfigure: false }),
})
