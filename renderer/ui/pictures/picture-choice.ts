import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** How large and how many the pictures are that are asked for. */
export interface PictureChoice {
  /** `1024x1024`; empty leaves it to the gateway. */
  readonly size: string
  readonly count: number
}

/** Sizes that are offered, by their shape. Engines that cannot make one say so. */
export const PICTURE_SIZES = Object.freeze([
  { size: '512x512', shape: 'square' },
  { size: '1024x1024', shape: 'square' },
  { size: '1024x1536', shape: 'upright' },
  { size: '1536x1024', shape: 'wide' },
] as const)

export const MOST_PICTURES = 4

const KEY = 'pictures:choice'
const NO_CHOICE: PictureChoice = Object.freeze({ size: '', count: 1 })

/** The choice as it was kept, whatever another version or another program wrote there. */
export function parseChoice(text: string | null): PictureChoice {
  try {
    const { size, count } = JSON.parse(text ?? '{}') as Partial<
      Record<keyof PictureChoice, unknown>
    >
    return {
      size: typeof size === 'string' && /^\d{1,5}x\d{1,5}$/.test(size) ? size : NO_CHOICE.size,
      count: Number.isInteger(count)
        ? Math.min(Math.max(count as number, 1), MOST_PICTURES)
        : NO_CHOICE.count,
    }
  } catch {
    return NO_CHOICE
  }
}

function readChoice(): PictureChoice {
  try {
    return parseChoice(localStorage.getItem(KEY))
  } catch {
    // Storage may be closed to this page.
    return NO_CHOICE
  }
}

const choiceStore = createStore<PictureChoice>(readChoice)

/** What was chosen last in this browser. */
export const pictureChoice = (): PictureChoice => choiceStore.getState()

export const usePictureChoice = (): PictureChoice => useStore(choiceStore)

/** Remembers a choice for the next pictures. */
export function choosePictures(change: Partial<PictureChoice>): void {
  choiceStore.setState(change)
  try {
    localStorage.setItem(KEY, JSON.stringify(choiceStore.getState()))
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
