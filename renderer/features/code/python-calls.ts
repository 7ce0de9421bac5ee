import type { CodeAnswer, CodeFile, CodeState, PythonCall } from '#contract/code.ts'
import type { ClientFrame, ServerFrame } from '#contract/events.ts'
import { toSentence } from '../../api/api-error.ts'
import { translate } from '../../lib/i18n.ts'
import type { NamedFile } from './code-runtime.ts'
import type { FileBytes } from '#contract/python-frame.ts'
import type { CellOutcome, Interpreter } from './interpreter.ts'
import { isRecord } from '../../lib/fields.ts'

/** Dependencies for answering calls of the gateway. */
export interface PythonCallDeps {
  readonly interpreter: Interpreter
  readonly askState: () => Promise<CodeState>
  readonly readFiles: (
    files: readonly NamedFile[],
    signal: AbortSignal,
  ) => Promise<readonly FileBytes[]>
  /** Stores a file among the user's files. */
  readonly keepFile: (
    name: string,
    bytes: Uint8Array,
    signal: AbortSignal,
  ) => Promise<{ readonly id: string; readonly size: number }>
  readonly send: (frame: ClientFrame) => boolean
}

/** Runs a model's code for the gateway. */
export interface PythonCalls {
  /** Returns true for a frame that was such a call, or cancelled one. */
  handleFrame(frame: ServerFrame): boolean
  /** Stops all runs, on sign-out or when no caller waits any more. */
  stopAll(): void
}

/**
 * Maximum length of each of the four texts of a response: the response is one frame of at most 1
 * MiB, in which a character may take six bytes.
 */
const LONGEST_PART = 200_000
const LETTER = 6

function readCall(data: unknown): PythonCall | null {
  if (!isRecord(data) || typeof data.code !== 'string') return null
  const files = (Array.isArray(data.files) ? (data.files as readonly unknown[]) : []).filter(isFile)
  const seconds = typeof data.timeout === 'number' && data.timeout > 0 ? data.timeout : 60
  return {
    id: String(data.id),
    code: data.code,
    session_id: String(data.session_id),
    files,
    timeout: seconds,
  }
}

const isFile = (value: unknown): value is CodeFile =>
  isRecord(value) && typeof value.id === 'string' && typeof value.name === 'string'

const isShort = (text: string): boolean =>
  text.length * LETTER <= LONGEST_PART ||
  new TextEncoder().encode(JSON.stringify(text)).length <= LONGEST_PART

const cut = (text: string): string =>
  isShort(text) ? text : `${text.slice(0, Math.floor(LONGEST_PART / LETTER))}…`

const toBytes = (picture: string): Uint8Array =>
  Uint8Array.from(atob(picture.slice(picture.indexOf(',') + 1)), (letter) => letter.codePointAt(0)!)

interface Keeping extends Pick<PythonCallDeps, 'keepFile'> {
  readonly signal: AbortSignal
}

/** Stores files and pictures among the user's own, and returns a response with their names. */
async function toAnswer(
  outcome: CellOutcome,
  call: PythonCall,
  { keepFile, signal }: Keeping,
): Promise<CodeAnswer> {
  const { status, stdout, stderr, result, html, error, reason } = outcome
  const sentence =
    status === 'ok' || status === 'error'
      ? ''
      : translate(`code.broken.${status}`, { seconds: call.timeout })
  const remarks = outcome.tooLarge.map((name) => `[${name} is too large to be kept.]`)
  const keep = async (
    name: string,
    bytes: Uint8Array,
  ): Promise<{ id: string; size: number } | null> => {
    try {
      return await keepFile(name, bytes, signal)
    } catch (thrown) {
      // A user without upload permission still receives the printed output.
      remarks.push(`[${name} could not be kept: ${toSentence(thrown)}]`)
      return null
    }
  }
  const files: CodeFile[] = []
  for (const { name, bytes } of outcome.files) {
    const kept = await keep(name, bytes)
    if (kept) files.push({ name, ...kept })
  }
  const pictures: string[] = []
  for (const [index, picture] of outcome.pictures.entries()) {
    const kept = await keep(`picture-${index + 1}.png`, toBytes(picture))
    if (kept) pictures.push(`/api/v1/files/${kept.id}/content`)
  }
  return {
    status,
    stdout: cut(stdout),
    stderr: cut([stderr, ...remarks, reason, sentence].filter(Boolean).join('\n')),
    result: result === null ? null : cut(result),
    html: html !== null && isShort(html) ? html : null,
    error: error && {
      ...error,
      message: error.message.slice(0, 5000),
      traceback: error.traceback.slice(0, 10_000),
    },
    files,
    pictures,
  }
}

class WindowCalls implements PythonCalls {
  readonly #deps: PythonCallDeps
  readonly #running = new Map<string, AbortController>()

  constructor(deps: PythonCallDeps) {
    this.#deps = deps
  }

  handleFrame(frame: ServerFrame): boolean {
    if (frame.type === 'call:cancel') {
      const running = this.#running.get(frame.call_id)
      running?.abort()
      return running !== undefined
    }
    if (frame.type !== 'call' || frame.data.type !== 'execute:python') return false
    void this.#answer(frame.call_id, frame.chat_id, frame.data.data)
    return true
  }

  stopAll(): void {
    for (const running of this.#running.values()) running.abort()
  }

  async #answer(callId: string, chatId: string, data: unknown): Promise<void> {
    const abort = new AbortController()
    this.#running.set(callId, abort)
    try {
      const result = await this.#run(chatId, data, abort.signal)
      if (!abort.signal.aborted) this.#deps.send({ type: 'call:result', call_id: callId, result })
    } catch (thrown) {
      if (!abort.signal.aborted)
        this.#deps.send({ type: 'call:error', call_id: callId, error: toSentence(thrown) })
    } finally {
      this.#running.delete(callId)
    }
  }

  async #run(chatId: string, data: unknown, signal: AbortSignal): Promise<CodeAnswer> {
    const { interpreter, askState, readFiles } = this.#deps
    const call = readCall(data)
    if (!call) throw new Error('The call brings no code.')
    const { limits, installed } = await askState()
    const outcome = await interpreter.run({
      session: chatId,
      code: call.code,
      files: await readFiles(call.files, signal),
      limits: { ...limits, seconds: call.timeout },
      installed,
      signal,
      onProgress: () => undefined,
      onOutput: () => undefined,
    })
    return toAnswer(outcome, call, { keepFile: this.#deps.keepFile, signal })
  }
}

export const createPythonCalls = (deps: PythonCallDeps): PythonCalls => new WindowCalls(deps)
