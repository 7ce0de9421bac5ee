import { statSync } from 'node:fs'
import type { ExtractedDocument } from './document.ts'
import { formatOf } from './recognise-format.ts'
import type { ExtractionJob } from './protocol.ts'
import { startWorker } from './start-worker.ts'
import { WorkerPool } from './worker-pool.ts'
import type { ExtractionOptions } from './extraction-options.ts'

export type { ExtractedDocument } from './document.ts'

/** A stored file to be extracted. */
export interface FileSource {
  /** Path of the bytes, readable by this process. */
  readonly path: string
  readonly filename: string
  readonly contentType: string | null
}

/** A fetched web page. */
export interface PageSource {
  /** Bytes are decoded as declared by the page or `contentType`. */
  readonly html: string | Uint8Array
  readonly url: string
  readonly contentType?: string | null
}

/** Settings of the gateway; tests of limits use smaller values. */
export interface ExtractionSettings {
  /** Maximum milliseconds for one document, read each time; small documents get less. */
  readonly timeLimit: () => number
  /** Number of documents read concurrently. */
  readonly workers?: number
}

const MEBIBYTE = 1024 * 1024
/** Time limit in ms for every document, and the addition for each mebibyte. */
const BASE_TIME = 45_000
const TIME_PER_MEBIBYTE = 2_000

const sizeOf = (job: ExtractionJob): number =>
  job.kind === 'file' ? statSync(job.path).size : job.html.length

/** Text extraction from documents, in separate processes with limits on time and memory. */
export class Extraction {
  readonly #timeLimit
  readonly #pool

  /** Starts nothing; workers are started with the first document. */
  constructor({ timeLimit, workers = 2 }: ExtractionSettings) {
    this.#timeLimit = timeLimit
    this.#pool = new WorkerPool({ size: workers, startWorker })
  }

  /**
   * Returns the text of a file. Throws `ServiceError` 422 with a sentence for users if the file is
   * damaged, protected, of an unsupported type, or too large for the limits; 400 if the signal
   * aborted it.
   */
  async extract(source: FileSource, options: ExtractionOptions): Promise<ExtractedDocument> {
    return await this.#run({ kind: 'file', ...source }, options)
  }

  /**
   * Returns the article of a web page without menus and advertisements as Markdown; throws the same
   * errors as `extract`.
   */
  async extractPage(
    { html, url, contentType = null }: PageSource,
    options: ExtractionOptions,
  ): Promise<ExtractedDocument> {
    return await this.#run({ kind: 'page', html, url, contentType }, options)
  }

  /**
   * Returns true if files of this name and type may contain text; false for images, audio and
   * video.
   */
  canExtract(filename: string, contentType: string | null): boolean {
    return formatOf(filename, contentType) !== 'unreadable'
  }

  /** Ends the workers; running jobs are rejected. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  #run(job: ExtractionJob, options: ExtractionOptions): Promise<ExtractedDocument> {
    const scaled = BASE_TIME + (sizeOf(job) / MEBIBYTE) * TIME_PER_MEBIBYTE
    return this.#pool.run({ job, timeLimit: Math.min(this.#timeLimit(), scaled), ...options })
  }
}
