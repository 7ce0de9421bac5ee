import { createStore } from 'zustand/vanilla'
import type { DocumentPlace } from './document-place.ts'

/** What can be looked at: a stored file, a picture that stands in a message, or a text alone. */
export type ShownDocument =
  | {
      readonly kind: 'file'
      readonly id: string
      readonly name: string
      readonly place: DocumentPlace | null
    }
  | { readonly kind: 'picture'; readonly address: string; readonly name: string }
  | { readonly kind: 'text'; readonly text: string; readonly name: string }

/** The document that lies over the window. */
export const shownDocumentStore = createStore<{ readonly document: ShownDocument | null }>(() => ({
  document: null,
}))

export const showDocument = (document: ShownDocument): void =>
  shownDocumentStore.setState({ document })

export const closeDocument = (): void => shownDocumentStore.setState({ document: null })
