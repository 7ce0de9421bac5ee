import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { whenForgotten } from './shown-pictures.ts'

/** Size, number and seed of requested pictures. */
export interface PictureChoice {
  /** `1024x1024`; empty uses the gateway's default. */
  readonly size: string
  readonly count: number
  /**
   * The same seed reproduces a picture if the engine supports seeds; null chooses one at random.
   */
  readonly seed: number | null
}

export const MOST_PICTURES = 4
/** Largest seed, supported by every engine that takes one. */
export const LARGEST_SEED = 2 ** 32 - 1

const KEY = 'pictures:choice'
const NO_CHOICE: PictureChoice = Object.freeze({ size: '', count: 1, seed: null })

/**
 * Returns the stored choice, with defaults for parts that another version or client stored in
 * another form.
 */
export function toChoice(kept: unknown): PictureChoice {
  const { size, count, seed } = (kept ?? {}) as Partial<Record<keyof PictureChoice, unknown>>
  return {
    size: typeof size === 'string' && /^\d{1,5}x\d{1,5}$/.test(size) ? size : NO_CHOICE.size,
    count: Number.isInteger(count)
      ? Math.min(Math.max(count as number, 1), MOST_PICTURES)
      : NO_CHOICE.count,
    seed: isSeed(seed) ? seed : NO_CHOICE.seed,
  }
}

const isSeed = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LARGEST_SEED

/** Parses a seed; returns null for invalid text. */
export function toSeed(text: string): number | null {
  const seed = /^\d{1,10}$/.test(text.trim()) ? Number(text) : null
  return isSeed(seed) ? seed : null
}

function readChoice(): PictureChoice {
  try {
    return toChoice(JSON.parse(localStorage.getItem(KEY) ?? 'null'))
  } catch {
    // Storage may be unavailable or contain other data.
    return NO_CHOICE
  }
}

const choiceStore = createStore<PictureChoice>(readChoice)

function show(choice: PictureChoice): void {
  choiceStore.setState(choice)
  try {
    localStorage.setItem(KEY, JSON.stringify(choice))
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

/** Returns the user's last choice. */
export const pictureChoice = (): PictureChoice => choiceStore.getState()

export const usePictureChoice = (): PictureChoice => useStore(choiceStore)

/** Returns the choice in the form of a completion request, without values left to the gateway. */
export function toImageOptions({ size, count, seed }: PictureChoice): Record<string, unknown> {
  return {
    ...(size !== '' && { size }),
    ...(count !== NO_CHOICE.count && { n: count }),
    ...(seed !== null && { seed }),
  }
}

let keep: (choice: PictureChoice) => void = () => undefined

/**
 * Applies the choice stored in the account, and passes later choices to it. This browser uses its
 * own copy until the account is loaded.
 */
export function followChoice(kept: unknown, onChoice: (choice: PictureChoice) => void): void {
  keep = onChoice
  if (kept !== undefined) show(toChoice(kept))
}

/** Remembers a choice for the next pictures. */
export function choosePictures(change: Partial<PictureChoice>): void {
  const choice = { ...choiceStore.getState(), ...change }
  show(choice)
  keep(choice)
}

whenForgotten(() => {
  keep = () => undefined
  show(NO_CHOICE)
})
