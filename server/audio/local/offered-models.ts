import { totalmem } from 'node:os'
import type { OfferedSpeechModel } from '#contract/audio.ts'

type Offer = Omit<OfferedSpeechModel, 'memory' | 'fits' | 'license' | 'multilingual'>

/** Repository that publishes the model files, converted for the engine. */
export const HUB = Object.freeze({ owner: 'ggerganov', name: 'whisper.cpp' })

/** A short list of openly licensed models, each for another size of computer; sizes are rounded. */
const OFFERS: readonly Offer[] = [
  { name: 'tiny', title: 'Whisper Tiny', bytes: 77_700_000 },
  { name: 'base', title: 'Whisper Base', bytes: 148_000_000 },
  { name: 'small-q5_1', title: 'Whisper Small', bytes: 190_000_000 },
  { name: 'large-v3-turbo-q5_0', title: 'Whisper Large v3 Turbo', bytes: 574_000_000 },
]

/** Memory needed besides the weights, for processing half a minute of audio. */
const WORK_BYTES = 250_000_000
const OVERHEAD = 1.4
/** Usable share of the memory; the rest is for the system and other programs. */
const SHARE = 0.75

/** Returns the approximate memory the process needs while it transcribes. */
export const memoryOf = (bytes: number): number => Math.round(bytes * OVERHEAD + WORK_BYTES)

export const fitsHere = (bytes: number): boolean => memoryOf(bytes) <= totalmem() * SHARE

export const listOffers = (): OfferedSpeechModel[] =>
  OFFERS.map((offer) => ({
    ...offer,
    memory: memoryOf(offer.bytes),
    fits: fitsHere(offer.bytes),
    license: 'MIT',
    multilingual: true,
  }))

/** Returns the file name of a model. */
export const toFileName = (name: string): string => `ggml-${name}.bin`

/** Returns the name of a model from its file name; null for other files. */
export const toName = (file: string): string | null =>
  /^(?:ggml-)?(\w[\w.-]{0,120})\.bin$/i.exec(file)?.[1] ?? null
