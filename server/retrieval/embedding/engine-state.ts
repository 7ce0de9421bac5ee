/** State of the current engine and of the documents indexed with it. */
export interface EngineState {
  readonly engine: string
  readonly kind: 'built-in' | 'runtime' | 'compatible'
  /** Model of a remote engine; null for the built-in one. */
  readonly model: string | null
  readonly dimensions: number | null
  /** Last error, as a sentence for users; null while it works. */
  readonly problem: string | null
  readonly documents: { readonly total: number; readonly current: number; readonly failed: number }
  readonly chunks: number
  /** Progress of a running re-index: finished documents and their total. */
  readonly reindex: {
    readonly done: number
    readonly total: number
    readonly document: string | null
  } | null
}
