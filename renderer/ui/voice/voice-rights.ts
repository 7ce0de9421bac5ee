/** What the signed-in person may do by voice, and what the gateway has for it. */
export interface VoiceRights {
  /** Whether answers may be read aloud. */
  readonly maySpeak: boolean
  /** Whether speech may become text. */
  readonly mayListen: boolean
  readonly mayCall: boolean
  /** Whether an engine of the gateway speaks; the voices of the device do otherwise. */
  readonly engineSpeaks: boolean
  /** Whether an engine of the gateway listens. */
  readonly engineListens: boolean
  /** Where answers are cut to be spoken. */
  readonly splitOn: string
}

export const NO_VOICE: VoiceRights = Object.freeze({
  maySpeak: false,
  mayListen: false,
  mayCall: false,
  engineSpeaks: false,
  engineListens: false,
  splitOn: 'punctuation',
})
