import type { PictureRights } from '../../ui/pictures/shown-pictures.ts'
import { NO_VOICE, type VoiceRights } from '../../ui/voice/voice-rights.ts'
import type { AttachRights } from './attachments/attach-menu.tsx'

/**
 * What the signed-in person may do in a conversation; the gateway decides, this only spares useless
 * offers.
 */
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
  /** Whether answers that stop early can be continued. */
  readonly continuing: boolean
  readonly attach: AttachRights
  readonly code: CodeRights
  readonly webSearch: WebSearchRights
  readonly pictures: ChatPictureRights
  readonly voice: VoiceRights
}

export interface ChatPictureRights extends PictureRights {
  /** Whether there is a switch for them. */
  readonly isOffered: boolean
  /** Whether this person may set them up. */
  readonly mayConfigure: boolean
}

export interface CodeRights {
  /** Whether the person may run code of answers. */
  readonly mayRun: boolean
  /** Whether there is a switch that lets models run code. */
  readonly isOffered: boolean
  /** Whether it would do anything. */
  readonly isReady: boolean
  /** Whether this person may set it up. */
  readonly mayConfigure: boolean
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
  continuing: true,
  attach: Object.freeze({ upload: true, page: true, notes: true, knowledge: true }),
  code: Object.freeze({ mayRun: false, isOffered: false, isReady: false, mayConfigure: false }),
  webSearch: Object.freeze({ isOffered: false, isReady: false, mayConfigure: false }),
  pictures: Object.freeze({
    isOffered: false,
    mayMake: false,
    mayEdit: false,
    mayConfigure: false,
  }),
  voice: NO_VOICE,
})
