/** A statement that only reads. */
export interface Reading {
  readonly text: string
  readonly values: readonly unknown[]
  /** True if a row is the value of its first column. */
  readonly isPlucked: boolean
}

/** Command to the reading thread. */
export type ReadCommand =
  | { readonly type: 'read'; readonly id: number; readonly reading: Reading }
  | { readonly type: 'go-on'; readonly id: number }
  | { readonly type: 'close' }

/** Report of the reading thread: rows of one page, or the error. */
export type ReadingReport =
  | {
      readonly type: 'rows'
      readonly id: number
      readonly rows: readonly unknown[]
      readonly isLast: boolean
    }
  | { readonly type: 'failed'; readonly id: number; readonly reason: string }

export interface ReadThread {
  readonly database: string
}
