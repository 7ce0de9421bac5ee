import { createStore } from 'zustand/vanilla'

/** A picture in a list: its URL, and its name until more is known. */
export interface PictureEntry {
  /** Id of the stored file; null for one embedded in its message. */
  readonly id: string | null
  readonly url: string
  readonly name: string
}

/** The message that contains pictures and also receives those derived from them. */
export interface PicturePlace {
  readonly chatId: string
  readonly messageId: string
}

/** The user's rights for pictures; the gateway enforces them, these only hide unusable actions. */
export interface PictureRights {
  readonly mayMake: boolean
  readonly mayEdit: boolean
}

/** The pictures being viewed over the window, and the current index. */
export interface ShownPictures {
  readonly entries: readonly PictureEntry[]
  readonly index: number
  readonly place: PicturePlace | null
  readonly rights: PictureRights
  /** True if the edit form is initially open. */
  readonly isEditing: boolean
}

export const shownPicturesStore = createStore<{ readonly shown: ShownPictures | null }>(() => ({
  shown: null,
}))

export const showPictures = (shown: ShownPictures): void => shownPicturesStore.setState({ shown })

export const closePictures = (): void => shownPicturesStore.setState({ shown: null })

const forgetting = new Set<() => void>()

/** Registers a function that clears cached picture data on sign-out. */
export const whenForgotten = (forget: () => void): void => void forgetting.add(forget)

/** Closes open pictures and clears cached data, e.g. on sign-out. */
export function forgetPictures(): void {
  closePictures()
  for (const forget of forgetting) forget()
}

/** Shows another of the viewed pictures; stops at both ends. */
export function turnTo(index: number): void {
  const { shown } = shownPicturesStore.getState()
  if (!shown) return
  const next = Math.min(Math.max(index, 0), shown.entries.length - 1)
  if (next !== shown.index) showPictures({ ...shown, index: next, isEditing: false })
}

/**
 * Inserts newly derived pictures after their source, and shows the first of them if the source is
 * still displayed.
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
