import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { whenForgotten } from './shown-pictures.ts'

/** How large and how many the pictures are that are asked for, and what they are drawn from. */
export interface PictureChoice {
  /** `1024x1024`; empty leaves it to the gateway. */
  readonly size: string
  readonly count: number
  /** The same seed makes the same picture again, where the engine knows seeds; null draws one. */
  readonly seed: number | null
}

export const MOST_PICTURES = 4
/** Every engine that takes a seed takes one of this size. */
export const LARGEST_SEED = 2 ** 32 - 1

const KEY = 'pictures:choice'
const NO_CHOICE: PictureChoice = Object.freeze({ size: '', count: 1, seed: null })

/** The choice as it was kept, whatever another version or another program wrote there. */
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

/** A seed as it is typed; null for what is none. */
export function toSeed(text: string): number | null {
  const seed = /^\d{1,10}$/.test(text.trim()) ? Number(text) : null
  return isSeed(seed) ? seed : null
}

function readChoice(): PictureChoice {
  try {
    return toChoice(JSON.parse(localStorage.getItem(KEY) ?? 'null'))
  } catch {
    // Storage may be closed to this page, or hold something else.
    return NO_CHOICE
  }
}

const choiceStore = createStore<PictureChoice>(readChoice)

function show(choice: PictureChoice): void {
  choiceStore.setState(choice)
  try {
    localStorage.setItem(KEY, JSON.stringify(choice))
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** What the person chose last. */
export const pictureChoice = (): PictureChoice => choiceStore.getState()

export const usePictureChoice = (): PictureChoice => useStore(choiceStore)

/** The choice as a completion carries it; nothing of what is left to the gateway. */
export function toImageOptions({ size, count, seed }: PictureChoice): Record<string, unknown> {
  return {
    ...(size !== '' && { size }),
    ...(count !== NO_CHOICE.count && { n: count }),
    ...(seed !== null && { seed }),
  }
}

let keep: (choice: PictureChoice) => void = () => undefined

/**
 * Takes over what the account remembers, and hands later choices to it. This browser shows its own
 * copy until the account is read.
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
