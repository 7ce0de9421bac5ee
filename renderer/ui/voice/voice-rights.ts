/** The signed-in user's voice rights, and the available engines of the gateway. */
export interface VoiceRights {
  /** True if answers may be read aloud. */
  readonly maySpeak: boolean
  /** True if speech recognition is permitted. */
  readonly mayListen: boolean
  readonly mayCall: boolean
  /** True if the gateway has a speech engine; otherwise the device's voices are used. */
  readonly engineSpeaks: boolean
  /** True if the gateway has a recognition engine. */
  readonly engineListens: boolean
  /** Rule for splitting answers into spoken pieces. */
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
