/** First line that a runner reads. */
export interface RunnerStart {
  /** Folder of the files of Pyodide. */
  readonly folder: string
  /** Folder of the fetched packages. */
  readonly packages: string
  /** Python code that runs cells. */
  readonly cell: string
  /** Maximum memory of Python, in bytes. */
  readonly memory: number
}

/** A subsequent line: a file for the next cell. */
export interface RunnerFile {
  readonly type: 'file'
  readonly name: string
  /** In base64. */
  readonly data: string
}

/** A subsequent line: a cell to run. */
export interface RunnerJob {
  readonly type: 'job'
  readonly id: string
  readonly code: string
  /** In bytes. */
  readonly outputLimit: number
  /** Maximum size of all returned files, in bytes. */
  readonly fileLimit: number
}

/**
 * A line written by a runner. It runs untrusted code, so nothing of it is accepted without
 * validation.
 */
export type RunnerReport =
  | { readonly type: 'ready' }
  /** The next piece of a file, before the result. */
  | { readonly type: 'piece'; readonly id: string; readonly name: string; readonly data: string }
  | { readonly type: 'result'; readonly id: string; readonly result: object }
  | { readonly type: 'failed'; readonly id: string; readonly reason: string }
  | { readonly type: 'memory'; readonly id: string }
