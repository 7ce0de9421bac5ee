import { createStore } from 'zustand/vanilla'

/**
 * A picture as a list of them is shown: where its bytes are, and what it is called while nothing
 * more is known of it.
 */
export interface PictureEntry {
  /** Of the stored file; null for one that is a part of its message. */
  readonly id: string | null
  readonly url: string
  readonly name: string
}

/** The message pictures stand in, which also gets what is made of them. */
export interface PicturePlace {
  readonly chatId: string
  readonly messageId: string
}

/** What the person may do with pictures; the gateway decides, this only spares useless offers. */
export interface PictureRights {
  readonly mayMake: boolean
  readonly mayEdit: boolean
}

/** The pictures that are looked at over the window, and which of them is in sight. */
export interface ShownPictures {
  readonly entries: readonly PictureEntry[]
  readonly index: number
  readonly place: PicturePlace | null
  readonly rights: PictureRights
  /** Whether the form for a change of the picture is open at once. */
  readonly isEditing: boolean
}

export const shownPicturesStore = createStore<{ readonly shown: ShownPictures | null }>(() => ({
  shown: null,
}))

export const showPictures = (shown: ShownPictures): void => shownPicturesStore.setState({ shown })

export const closePictures = (): void => shownPicturesStore.setState({ shown: null })

const forgetting = new Set<() => void>()

/** Has something that was remembered of pictures forgotten when the person leaves. */
export const whenForgotten = (forget: () => void): void => void forgetting.add(forget)

/** Closes what is open and forgets what was known, as on sign-out. */
export function forgetPictures(): void {
  closePictures()
  for (const forget of forgetting) forget()
}

/** Shows another picture of those that are looked at; stays at both ends. */
export function turnTo(index: number): void {
  const { shown } = shownPicturesStore.getState()
  if (!shown) return
  const next = Math.min(Math.max(index, 0), shown.entries.length - 1)
  if (next !== shown.index) showPictures({ ...shown, index: next, isEditing: false })
}

/**
 * Puts pictures that were just made of another one behind it, and shows the first of them if that
 * one is still in sight.
 */
export function insertBehind(sourceId: string, made: readonly PictureEntry[]): void {
  const { shown } = shownPicturesStore.getState()
  const at = shown?.entries.findIndex(({ id }) => id === sourceId) ?? -1
  const fresh = made.filter((entry) => !shown?.entries.some(({ id }) => id === entry.id))
  if (!shown || at === -1 || fresh.length === 0) return
  const entries = shown.entries.toSpliced(at + 1, 0, ...fresh)
  const index =
    shown.index === at ? at + 1 : shown.index > at ? shown.index + fresh.length : shown.index
  showPictures({ ...shown, entries, index, isEditing: false })
}
