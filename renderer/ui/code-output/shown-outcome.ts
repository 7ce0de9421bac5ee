import { asText } from '../../lib/as-text.ts'
import { toFields } from '../../lib/fields.ts'

export interface ShownError {
  readonly name: string
  readonly message: string
  readonly line: number | null
  readonly traceback: string
}

/**
 * A file written by code: stored among the user's files if it has an id, otherwise only in this
 * window.
 */
export interface OutcomeFile {
  readonly name: string
  readonly size: number | null
  readonly id: string | null
  readonly bytes: Uint8Array | null
}

/** Result of a code run, regardless of where it ran. */
export interface ShownOutcome {
  readonly status: 'ok' | 'error' | 'stopped' | 'timeout' | 'memory' | 'failed'
  readonly stdout: string
  readonly stderr: string
  readonly result: string | null
  readonly html: string | null
  /** Data URIs, or URLs of stored files. */
  readonly pictures: readonly string[]
  readonly error: ShownError | null
  readonly files: readonly OutcomeFile[]
  readonly tooLarge: readonly string[]
  /** Additional text for a status other than the first two; otherwise empty. */
  readonly reason: string
  readonly seconds: number | null
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const STATUSES: readonly unknown[] = [
  'ok',
  'error',
  'stopped',
  'timeout',
  'memory',
  'failed',
] satisfies ShownOutcome['status'][]

const FILE_ADDRESS = /^\/api\/v1\/files\/([\w-]+)\/content$/

const isPicture = (address: unknown): address is string =>
  typeof address === 'string' &&
  (/^data:image\/(png|jpeg|gif|webp);base64,/.test(address) || FILE_ADDRESS.test(address))

function readError(value: unknown): ShownError | null {
  if (typeof value === 'string' && value !== '')
    return { name: '', message: value, line: null, traceback: value }
  const { name, message, line, traceback } = toFields(value)
  if (typeof name !== 'string') return null
  return {
    name,
    message: asText(message),
    line: typeof line === 'number' ? line : null,
    traceback: asText(traceback),
  }
}

function readFile(value: unknown): OutcomeFile[] {
  const { name, id: own, url, size } = toFields(value)
  const id = own ?? FILE_ADDRESS.exec(asText(url))?.[1]
  if (typeof name !== 'string' || typeof id !== 'string') return []
  return [{ name, id, size: typeof size === 'number' ? size : null, bytes: null }]
}

/** Reads a stored result or one returned by the gateway; invalid parts are left out. */
export function readOutcome(value: unknown): ShownOutcome {
  const fields = toFields(value)
  const error = readError(fields.error)
  const status = STATUSES.includes(fields.status)
    ? (fields.status as ShownOutcome['status'])
    : error
      ? 'error'
      : 'ok'
  return {
    status,
    stdout: asText(fields.stdout) || asText(fields.output),
    stderr: asText(fields.stderr),
    result: typeof fields.result === 'string' && fields.result !== '' ? fields.result : null,
    html: typeof fields.html === 'string' ? fields.html : null,
    pictures: toList(fields.pictures).filter(isPicture),
    error,
    files: toList(fields.files).flatMap(readFile),
    tooLarge: [],
    reason: '',
    seconds: typeof fields.seconds === 'number' ? fields.seconds : null,
  }
}
