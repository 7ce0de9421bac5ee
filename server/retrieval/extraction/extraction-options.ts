export interface ExtractionOptions {
  readonly signal: AbortSignal
  /** Called with pages, or bytes if there are no pages; `total` is null while unknown. */
  readonly onProgress?: (done: number, total: number | null) => void
}
