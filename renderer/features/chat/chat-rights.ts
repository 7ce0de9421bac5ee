import type { PictureRights } from '../../ui/pictures/shown-pictures.ts'
import { NO_VOICE, type VoiceRights } from '../../ui/voice/voice-rights.ts'
import type { AttachRights } from './attachments/use-attaching.tsx'

/**
 * The signed-in user's rights in a conversation; the gateway enforces them, these only hide
 * unusable actions.
 */
export interface ChatRights {
  readonly system: boolean
  readonly params: boolean
  readonly temporary: boolean
  /** True if models receive the user's memories. */
  readonly memories: boolean
  /** True if the user's chats are never stored. */
  readonly isTemporaryEnforced: boolean
  /** True if answers can be rated. */
  readonly rating: boolean
  /** True if incomplete answers can be continued. */
  readonly continuing: boolean
  readonly attach: AttachRights
  readonly code: CodeRights
  readonly webSearch: WebSearchRights
  readonly pictures: ChatPictureRights
  readonly voice: VoiceRights
}

export interface ChatPictureRights extends PictureRights {
  /** True if a switch for them is shown. */
  readonly isOffered: boolean
  /** True if the user may configure them. */
  readonly mayConfigure: boolean
}

export interface CodeRights {
  /** True if the user may run the code of answers. */
  readonly mayRun: boolean
  /** True if a switch that lets models run code is shown. */
  readonly isOffered: boolean
  /** True if it is operational. */
  readonly isReady: boolean
  /** True if the user may configure it. */
  readonly mayConfigure: boolean
}

export interface WebSearchRights {
  /** True if a switch for it is shown. */
  readonly isOffered: boolean
  /** True if it is operational: switched on, with an engine. */
  readonly isReady: boolean
  /** True if the user may configure it. */
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
