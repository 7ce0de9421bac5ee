import { statSync } from 'node:fs'
import type { ExtractedDocument } from './document.ts'
import { formatOf } from './recognise-format.ts'
import type { ExtractionJob } from './protocol.ts'
import { startWorker } from './start-worker.ts'
import { WorkerPool } from './worker-pool.ts'
import type { ExtractionOptions } from './extraction-options.ts'

export type { ExtractedDocument } from './document.ts'

/** A stored file whose text is wanted. */
export interface FileSource {
  /** Of the bytes, readable by this process. */
  readonly path: string
  readonly filename: string
  readonly contentType: string | null
}

/** A fetched web page. */
export interface PageSource {
  /** Bytes are decoded by what the page or `contentType` declares. */
  readonly html: string | Uint8Array
  readonly url: string
  readonly contentType?: string | null
}

/** What a gateway may set; the tests of limits set less. */
export interface ExtractionSettings {
  /** Most milliseconds for one document, asked each time; small documents get less. */
  readonly timeLimit: () => number
  /** Documents read at the same time. */
  readonly workers?: number
}

const MEBIBYTE = 1024 * 1024
/** Milliseconds every document has, and further ones for each mebibyte. */
const BASE_TIME = 45_000
const TIME_PER_MEBIBYTE = 2_000

const sizeOf = (job: ExtractionJob): number =>
  job.kind === 'file' ? statSync(job.path).size : job.html.length

/** Text out of documents, in processes of their own with limits on time and memory. */
export class Extraction {
  readonly #timeLimit
  readonly #pool

  /** Starts nothing; workers come with the first document. */
  constructor({ timeLimit, workers = 2 }: ExtractionSettings) {
    this.#timeLimit = timeLimit
    this.#pool = new WorkerPool({ size: workers, startWorker })
  }

  /**
   * Text of a file. Throws `ServiceError` 422 with a sentence for people when the file is damaged,
   * protected, of a kind that cannot be read, or too large for the limits; 400 when the signal
   * stopped it.
   */
  async extract(source: FileSource, options: ExtractionOptions): Promise<ExtractedDocument> {
    return await this.#run({ kind: 'file', ...source }, options)
  }

  /**
   * The article of a web page without menus and advertisements as Markdown; faults as `extract`.
   */
  async extractPage(
    { html, url, contentType = null }: PageSource,
    options: ExtractionOptions,
  ): Promise<ExtractedDocument> {
    return await this.#run({ kind: 'page', html, url, contentType }, options)
  }

  /** Whether files of this name and type are worth trying; pictures, sound and film are not. */
  canExtract(filename: string, contentType: string | null): boolean {
    return formatOf(filename, contentType) !== 'unreadable'
  }

  /** Ends the workers; what is running is refused. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  #run(job: ExtractionJob, options: ExtractionOptions): Promise<ExtractedDocument> {
    const scaled = BASE_TIME + (sizeOf(job) / MEBIBYTE) * TIME_PER_MEBIBYTE
    return this.#pool.run({ job, timeLimit: Math.min(this.#timeLimit(), scaled), ...options })
  }
}
