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

/** A line after it: a file for the cell that follows. */
export interface RunnerFile {
  readonly type: 'file'
  readonly name: string
  /** In base64. */
  readonly data: string
}

/** A line after it: a cell to be run. */
export interface RunnerJob {
  readonly type: 'job'
  readonly id: string
  readonly code: string
  /** Bytes. */
  readonly outputLimit: number
  /** Bytes of all files it gives back. */
  readonly fileLimit: number
}

/**
 * What a runner writes, a line each. It runs code of anybody, so nothing of it is believed unread.
 */
export type RunnerReport =
  | { readonly type: 'ready' }
  /** The next piece of a file, before the result. */
  | { readonly type: 'piece'; readonly id: string; readonly name: string; readonly data: string }
  | { readonly type: 'result'; readonly id: string; readonly result: object }
  | { readonly type: 'failed'; readonly id: string; readonly reason: string }
  | { readonly type: 'memory'; readonly id: string }
