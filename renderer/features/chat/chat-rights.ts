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
  readonly attach: AttachRights
}

export const ALL_RIGHTS: ChatRights = Object.freeze({
  system: true,
  params: true,
  temporary: true,
  memories: false,
  isTemporaryEnforced: false,
  attach: Object.freeze({ upload: true, page: true, notes: true }),
})
