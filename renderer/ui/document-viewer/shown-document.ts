import { createStore } from 'zustand/vanilla'
import type { DocumentPlace } from './document-place.ts'

/** A viewable item: a stored file, a picture in a message, or a plain text. */
export type ShownDocument =
  | {
      readonly kind: 'file'
      readonly id: string
      readonly name: string
      readonly place: DocumentPlace | null
    }
  | { readonly kind: 'picture'; readonly address: string; readonly name: string }
  | { readonly kind: 'text'; readonly text: string; readonly name: string }

/** The document shown over the window. */
export const shownDocumentStore = createStore<{ readonly document: ShownDocument | null }>(() => ({
  document: null,
}))

export const showDocument = (document: ShownDocument): void =>
  shownDocumentStore.setState({ document })

export const closeDocument = (): void => shownDocumentStore.setState({ document: null })
