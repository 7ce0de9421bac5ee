/**
 * Files of the runtime, which the page fetches and passes to the frame: neither frame nor worker
 * has network access.
 */
export interface RuntimeParts {
  /** Source of the module that drives the compiled runtime. */
  readonly script: string
  readonly wasm: ArrayBuffer
  readonly library: ArrayBuffer
  /** Names, files and imports of packages, as JSON. */
  readonly packages: string
}

export interface FileBytes {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface CellLimits {
  /** Memory limit of Python in bytes. */
  readonly memory: number
  /** Maximum size of the output in bytes; further output is dropped. */
  readonly output: number
  /** Maximum total size in bytes of the returned files. */
  readonly file: number
}

/** Request of the page to a worker. */
export type WorkerRequest =
  | {
      readonly type: 'run'
      readonly code: string
      readonly files: readonly FileBytes[]
      readonly limits: CellLimits
      /** Names of the packages available on the gateway. */
      readonly installed: readonly string[]
    }
  | { readonly type: 'package'; readonly name: string; readonly bytes: ArrayBuffer | null }

export interface CellError {
  readonly name: string
  readonly message: string
  readonly line: number | null
  readonly traceback: string
}

/** Result of a cell. */
export interface CellValue {
  readonly stdout: string
  readonly stderr: string
  readonly result: string | null
  readonly html: string | null
  readonly pictures: readonly string[]
  readonly error: CellError | null
  readonly files: readonly FileBytes[]
  /** Names of written files that are too large, or too many, to be returned. */
  readonly tooLarge: readonly string[]
}

/** Output text as it arrives. */
export interface OutputPiece {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** Message of a worker to the page. */
export type WorkerReport =
  | {
      readonly type: 'phase'
      readonly phase: 'loading' | 'packages' | 'running'
      readonly names?: readonly string[]
    }
  | { readonly type: 'need'; readonly name: string }
  | { readonly type: 'output'; readonly pieces: readonly OutputPiece[] }
  | { readonly type: 'done'; readonly value: CellValue }
  /** The runtime itself ended; the worker can no longer be used. */
  | { readonly type: 'ended'; readonly reason: 'memory' | 'failed'; readonly message: string }

/** Request of the page to the frame. A session is one worker with its variables. */
export type FrameRequest =
  | { readonly type: 'runtime'; readonly parts: RuntimeParts }
  | { readonly type: 'to'; readonly session: string; readonly request: WorkerRequest }
  | { readonly type: 'end'; readonly session: string }

export type FrameReport =
  | { readonly type: 'ready' }
  | { readonly type: 'compiled' }
  | { readonly type: 'broken'; readonly message: string }
  | { readonly type: 'from'; readonly session: string; readonly report: WorkerReport }

type Fields = Readonly<Record<string, unknown>>
const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)

const isFile = (value: unknown): value is FileBytes =>
  isRecord(value) && isText(value.name) && value.bytes instanceof Uint8Array

const isPiece = (value: unknown): value is OutputPiece =>
  isRecord(value) && (value.stream === 'stdout' || value.stream === 'stderr') && isText(value.text)

const isError = (value: unknown): value is CellError =>
  isRecord(value) &&
  isText(value.name) &&
  isText(value.message) &&
  isText(value.traceback) &&
  (value.line === null || Number.isSafeInteger(value.line))

const isValue = (value: unknown): value is CellValue =>
  isRecord(value) &&
  isText(value.stdout) &&
  isText(value.stderr) &&
  isTextOrNull(value.result) &&
  isTextOrNull(value.html) &&
  isTexts(value.pictures) &&
  value.pictures.every((picture) => /^data:image\/png;base64,[\w+/=]*$/.test(picture)) &&
  (value.error === null || isError(value.error)) &&
  Array.isArray(value.files) &&
  value.files.every(isFile) &&
  isTexts(value.tooLarge)

const REPORTS: Readonly<Record<string, (report: Fields) => boolean>> = {
  phase: ({ phase, names }) =>
    isText(phase) &&
    ['loading', 'packages', 'running'].includes(phase) &&
    (names === undefined || isTexts(names)),
  need: ({ name }) => isText(name),
  output: ({ pieces }) => Array.isArray(pieces) && pieces.every(isPiece),
  done: ({ value }) => isValue(value),
  ended: ({ reason, message }) => (reason === 'memory' || reason === 'failed') && isText(message),
}

/**
 * Parses a report of the frame; returns null for anything else. Code in a worker may send any data,
 * so every field is validated.
 */
export function parseFrameReport(data: unknown): FrameReport | null {
  if (!isRecord(data) || !isText(data.type)) return null
  if (data.type === 'ready' || data.type === 'compiled') return { type: data.type }
  if (data.type === 'broken')
    return isText(data.message) ? { type: 'broken', message: data.message } : null
  if (
    data.type !== 'from' ||
    !isText(data.session) ||
    !isRecord(data.report) ||
    !isText(data.report.type)
  )
    return null
  const isKnown =
    Object.hasOwn(REPORTS, data.report.type) && REPORTS[data.report.type]!(data.report)
  return isKnown ? (data as unknown as FrameReport) : null
}
