import type { ExtractedDocument } from './document.ts'
import type { TextSink } from './text-sink.ts'

/** A stored file as passed to format readers. */
export interface ReadableFile {
  readonly path: string
  readonly filename: string
  readonly contentType: string | null
  readonly size: number
  /** The first bytes, enough to recognise the format. */
  readonly head: Buffer
}

export interface ReadingTarget {
  readonly sink: TextSink
  readonly progress: (done: number, total: number | null) => void
}

/** Facts about the document besides its text. */
export interface Reading {
  readonly format: ExtractedDocument['format']
  readonly title?: string | null
  readonly language?: string | null
  readonly notices?: readonly string[]
}

/**
 * Writes the text of a file to the sink. Throws `Refusal` if it cannot be read; any other error
 * counts as damage.
 */
export type Reader = (file: ReadableFile, target: ReadingTarget) => Promise<Reading>
