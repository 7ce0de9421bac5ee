export interface ExtractionOptions {
  readonly signal: AbortSignal
  /** Pages, or bytes where there are no pages; `total` is null while unknown. */
  readonly onProgress?: (done: number, total: number | null) => void
}
