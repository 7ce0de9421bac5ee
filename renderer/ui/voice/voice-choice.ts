import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** How a person wants to be spoken and listened to on this device. */
export interface VoiceChoice {
  readonly speaks: 'gateway' | 'device'
  /** A voice of the gateway's engine; empty for its usual one. */
  readonly voice: string
  /** A voice of the device, by its address; empty for its usual one. */
  readonly deviceVoice: string
  readonly speed: number
  readonly readsAnswers: boolean
  readonly listens: 'gateway' | 'browser'
  /** Whether the person knows that the browser may send sound to its vendor, and agreed. */
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

/** The choice as it was kept, whatever another version wrote there. */
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
    // Storage may be closed to this page, or hold something else.
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
    // Without storage the choice lasts as long as the page.
  }
}
