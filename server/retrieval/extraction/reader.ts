import type { ExtractedDocument } from './document.ts'
import type { TextSink } from './text-sink.ts'

/** A stored file as the readers of formats see it. */
export interface ReadableFile {
  readonly path: string
  readonly filename: string
  readonly contentType: string | null
  readonly size: number
  /** The first bytes, enough to recognise what it is. */
  readonly head: Buffer
}

export interface ReadingTarget {
  readonly sink: TextSink
  readonly progress: (done: number, total: number | null) => void
}

/** What a reader knows of the document beside its text. */
export interface Reading {
  readonly format: ExtractedDocument['format']
  readonly title?: string | null
  readonly language?: string | null
  readonly notices?: readonly string[]
}

/**
 * Writes the text of a file into the sink. Throws `Refusal` when it cannot be read; anything else
 * counts as damage.
 */
export type Reader = (file: ReadableFile, target: ReadingTarget) => Promise<Reading>
