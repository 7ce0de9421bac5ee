/** The engine in use and how far the index follows it. */
export interface EngineState {
  readonly engine: string
  readonly kind: 'built-in' | 'runtime' | 'compatible'
  /** Model of an engine that has to be asked; null for the built-in one. */
  readonly model: string | null
  readonly dimensions: number | null
  /** What went wrong last, as a sentence for people; null while it works. */
  readonly problem: string | null
  readonly documents: { readonly total: number; readonly current: number; readonly failed: number }
  readonly chunks: number
  /** A re-index under way: documents finished of those it takes. */
  readonly reindex: {
    readonly done: number
    readonly total: number
    readonly document: string | null
  } | null
}
