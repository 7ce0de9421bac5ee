/** The first line a runner reads. */
export interface RunnerStart {
  /** Of the files of Pyodide. */
  readonly folder: string
  /** Of the packages somebody fetched. */
  readonly packages: string
  /** Python that runs cells. */
  readonly cell: string
  /** Bytes Python may use. */
  readonly memory: number
}

/** Each line after it: a cell to be run. */
export interface RunnerJob {
  readonly id: string
  readonly code: string
  /** Bytes. */
  readonly outputLimit: number
  /** Bytes of all files it gives back. */
  readonly fileLimit: number
  readonly files: readonly { readonly name: string; readonly data: string }[]
}

/** What a runner writes, a line each. It runs code of anybody, so nothing of it is believed unread. */
export type RunnerReport =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly id: string; readonly result: object }
  | { readonly type: 'failed'; readonly id: string; readonly reason: string }
