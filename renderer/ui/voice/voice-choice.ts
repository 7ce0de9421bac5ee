import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** Voice settings of the user on this device. */
export interface VoiceChoice {
  readonly speaks: 'gateway' | 'device'
  /** Voice of the gateway's engine; empty for its default. */
  readonly voice: string
  /** Voice of the device, by its URI; empty for its default. */
  readonly deviceVoice: string
  readonly speed: number
  readonly readsAnswers: boolean
  readonly listens: 'gateway' | 'browser'
  /** True if the user has agreed that the browser may send audio to its vendor. */
  readonly agreedToVendor: boolean
}

const KEY = 'voice'
export const SLOWEST = 0.5
export const FASTEST = 2

const USUAL: VoiceChoice = Object.freeze({
  speaks: 'gateway',
  voice: '',
  deviceVoice: '',
  speed: 1,
  readsAnswers: false,
  listens: 'gateway',
  agreedToVendor: false,
})

const toText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 500) : '')

/** Returns the stored choice, with defaults for parts another version stored in another form. */
export function toVoiceChoice(kept: unknown): VoiceChoice {
  const given = (kept ?? {}) as Partial<Record<keyof VoiceChoice, unknown>>
  const speed = typeof given.speed === 'number' ? given.speed : USUAL.speed
  return {
    speaks: given.speaks === 'device' ? 'device' : 'gateway',
    voice: toText(given.voice),
    deviceVoice: toText(given.deviceVoice),
    speed: Number.isFinite(speed) ? Math.min(FASTEST, Math.max(SLOWEST, speed)) : USUAL.speed,
    readsAnswers: given.readsAnswers === true,
    listens: given.listens === 'browser' ? 'browser' : 'gateway',
    agreedToVendor: given.agreedToVendor === true,
  }
}

function readKept(): VoiceChoice {
  try {
    return toVoiceChoice(JSON.parse(localStorage.getItem(KEY) ?? 'null'))
  } catch {
    // Storage may be unavailable or contain other data.
    return USUAL
  }
}

export const voiceChoiceStore = createStore<VoiceChoice>(readKept)

export const voiceChoice = (): VoiceChoice => voiceChoiceStore.getState()

export const useVoiceChoice = (): VoiceChoice => useStore(voiceChoiceStore)

/** Remembers a choice on this device. */
export function chooseVoice(change: Partial<VoiceChoice>): void {
  const choice = toVoiceChoice({ ...voiceChoice(), ...change })
  voiceChoiceStore.setState(choice)
  try {
    localStorage.setItem(KEY, JSON.stringify(choice))
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
