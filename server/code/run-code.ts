import { filterInOrder } from '../lib/in-order.ts'
import {
  CODE_SENTENCES,
  codeAnswerSchema,
  type CodeAnswer,
  type CodeFile,
  type CodeResult,
  type PythonCall,
} from '#contract/code.ts'
import type { GatewayCall } from '#contract/events.ts'
import type { Logger } from '../lib/logger.ts'
import { keepMadeFiles, readGivenFiles, type CodeFiles, type MadeFiles } from './exchange-files.ts'
import type { Kernels } from './jupyter/kernels.ts'
import { readServer, type CodeUse } from './read-settings.ts'
import type { CellOutcome } from './runner/runner.ts'
import { NO_PROCESS, type Phase, type Runners } from './runner/runners.ts'
import type { CodeSettings } from './code-settings.ts'

const MEBIBYTE = 1024 * 1024
const KIBIBYTE = 1024
/**
 * Additional time for a window beyond the time of the run itself, because it must load the runtime
 * first.
 */
const WINDOW_GRACE_MILLISECONDS = 45_000
const NO_WINDOW = 'No window of yours is open that could run the code.'
const DATA_LINE = /^data:image\/[\w.+-]+;base64,[\w+/=]+$/

export interface CodeRunParts {
  readonly settings: CodeSettings
  readonly files: CodeFiles
  readonly runners: Runners
  readonly kernels: Kernels
  /** Returns the reason why no process of the gateway may run code; null if one may. */
  readonly refusal: () => Promise<string | null>
  /** Returns another window of the user; null if none is open. */
  readonly findWindow: (order: Pick<CodeOrder, 'id' | 'userId' | 'chatId'>) => CodeOrder['window']
  readonly log: Logger
}

/** Code to run, and its user. */
export interface CodeOrder {
  readonly id: string
  readonly use: CodeUse
  readonly userId: string
  readonly chatId: string | null
  readonly code: string
  readonly files: readonly CodeFile[]
  readonly signal: AbortSignal
  /** True to keep pictures inline instead of storing them as files of the user. */
  readonly keepsNothing?: boolean
  readonly onPhase?: (phase: Phase) => void
  /** The window to try first; null if there is none. */
  readonly window: {
    readonly sessionId: string
    readonly ask: (event: GatewayCall, signal: AbortSignal) => Promise<unknown>
  } | null
}

type Bare = Omit<CodeResult, 'id' | 'engine' | 'seconds'>

const NOTHING: Bare = {
  status: 'ok',
  stdout: '',
  stderr: '',
  result: null,
  error: null,
  files: [],
  pictures: [],
  html: null,
}

const ended = (status: CodeResult['status'], sentence: string): Bare => ({
  ...NOTHING,
  status,
  stderr: sentence,
})

const withRemarks = (stderr: string, remarks: readonly string[]): string =>
  [stderr.trimEnd(), ...remarks].filter(Boolean).join('\n')

/**
 * Runs code in its proper place: on the Jupyter server, in the requesting window, else in a process
 * of the gateway, or if none may run in another window of the user.
 */
export async function runCode(parts: CodeRunParts, order: CodeOrder): Promise<CodeResult> {
  const start = performance.now()
  const { engine, bare } = await choose(parts, order)
  return {
    id: order.id,
    ...bare,
    engine,
    seconds: Math.round((performance.now() - start) / 10) / 100,
  }
}

async function choose(
  parts: CodeRunParts,
  order: CodeOrder,
): Promise<{ engine: CodeResult['engine']; bare: Bare }> {
  if (parts.settings.get(`CODE_${order.use}_ENGINE`) === 'jupyter')
    return { engine: 'jupyter', bare: await onJupyter(parts, order) }
  const asked = order.window && (await inWindow(parts, order, order.window))
  if (asked && typeof asked !== 'string') return { engine: 'window', bare: asked }
  const refusal = await parts.refusal()
  if (refusal === null) return { engine: 'gateway', bare: await inProcess(parts, order) }
  const other = order.window ? null : parts.findWindow(order)
  const answered = other ? await inWindow(parts, order, other) : asked
  if (answered && typeof answered !== 'string') return { engine: 'window', bare: answered }
  return { engine: 'gateway', bare: ended('failed', `${answered ?? NO_WINDOW} ${refusal}`) }
}

async function onJupyter(parts: CodeRunParts, order: CodeOrder): Promise<Bare> {
  const { settings, kernels } = parts
  const outputLimit = settings.get('CODE_OUTPUT_LIMIT') * KIBIBYTE
  const outcome = await kernels.run(order, order.id, {
    server: readServer(settings, order.use),
    code: order.code,
    outputLimit,
    signal: order.signal,
  })
  const { pictures } = outcome
  const kept = order.keepsNothing
    ? { pictures, remarks: [] }
    : await keep(parts, order, { files: new Map(), pictures })
  const { status, stdout, error, html } = outcome
  return {
    status,
    stdout,
    stderr: withRemarks(outcome.stderr, kept.remarks),
    result: outcome.result || null,
    error,
    html,
    files: [],
    pictures: kept.pictures,
  }
}

/** Returns the result from the window, or the reason for its absence. */
async function inWindow(
  { settings, files, log }: CodeRunParts,
  order: CodeOrder,
  window: NonNullable<CodeOrder['window']>,
): Promise<Bare | string> {
  const seconds = settings.get('CODE_TIMEOUT')
  const call: PythonCall = {
    id: order.id,
    code: order.code,
    session_id: window.sessionId,
    files: order.files,
    timeout: seconds,
  }
  const late = AbortSignal.timeout(seconds * 1000 + WINDOW_GRACE_MILLISECONDS)
  try {
    const answer = await window.ask(
      { type: 'execute:python', data: call },
      AbortSignal.any([order.signal, late]),
    )
    const read = codeAnswerSchema.safeParse(answer)
    return read.success
      ? await toBare(files, order.userId, read.data, settings)
      : 'The window answered what cannot be read.'
  } catch (error) {
    if (order.signal.aborted) return ended('stopped', CODE_SENTENCES.stopped)
    log.info({ error }, 'a window did not run the code')
    return late.aborted
      ? 'The window that was to run the code did not answer.'
      : CODE_SENTENCES.closed
  }
}

/**
 * Converts the result of a window: its file references count only if the user may read the files.
 */
async function toBare(
  files: CodeFiles,
  userId: string,
  answer: CodeAnswer,
  settings: CodeSettings,
): Promise<Bare> {
  const limit = settings.get('CODE_OUTPUT_LIMIT') * KIBIBYTE
  const { stdout = '', stderr = '', error = null, html = null } = answer
  const lines = (stdout ?? '').split('\n')
  const inText = lines.filter((line) => DATA_LINE.test(line))
  const text =
    inText.length > 0 ? lines.filter((line) => !DATA_LINE.test(line)).join('\n') : (stdout ?? '')
  const { result } = answer
  const value =
    result === null || result === undefined
      ? null
      : typeof result === 'string'
        ? result
        : JSON.stringify(result)
  return {
    status: answer.status ?? (error || (stderr && text === '' && value === null) ? 'error' : 'ok'),
    stdout: text.slice(0, limit),
    stderr: (stderr ?? '').slice(0, limit),
    result: value && value.slice(0, limit),
    error,
    html,
    files: await filterInOrder(
      answer.files ?? [],
      async ({ id }) => (await files.get(userId, id)) !== null,
    ),
    pictures: await filterInOrder([...(answer.pictures ?? []), ...inText], (each) =>
      isOwnPicture(files, userId, each),
    ),
  }
}

const CONTENT = /^\/api\/v1\/files\/([\w-]{1,256})\/content$/

async function isOwnPicture(files: CodeFiles, userId: string, address: string): Promise<boolean> {
  const id = CONTENT.exec(address)?.[1]
  return id === undefined ? DATA_LINE.test(address) : (await files.get(userId, id)) !== null
}

async function inProcess(parts: CodeRunParts, order: CodeOrder): Promise<Bare> {
  const { settings, runners, files } = parts
  const { id, code, userId, chatId, signal, onPhase = () => undefined } = order
  const seconds = settings.get('CODE_TIMEOUT')
  const fileLimit = settings.get('CODE_FILE_LIMIT') * MEBIBYTE
  const { given, remarks } = await readGivenFiles(files, userId, order.files, fileLimit)
  const outputLimit = settings.get('CODE_OUTPUT_LIMIT') * KIBIBYTE
  const cell = { id, code, outputLimit, fileLimit, files: given, timeoutMs: seconds * 1000 }
  const outcome = await runners.run({ userId, chatId }, cell, { signal, onPhase })
  if (outcome.kind !== 'result') return explainEnd(outcome, seconds)
  const { result } = outcome
  const tooLarge = result.files
    .filter(({ isTaken }) => !isTaken)
    .map(({ name }) => `[${name} is too large to be kept.]`)
  const kept = await keep(parts, order, { files: outcome.files, pictures: result.pictures })
  return {
    ...result,
    stderr: withRemarks(result.stderr, [...remarks, ...tooLarge, ...kept.remarks]),
    files: kept.files,
    pictures: kept.pictures,
  }
}

function explainEnd(outcome: Exclude<CellOutcome, { kind: 'result' }>, seconds: number): Bare {
  if (outcome.kind === 'timeout') return ended('timeout', CODE_SENTENCES.timeout(seconds))
  if (outcome.kind === 'failed') return ended('failed', outcome.reason || NO_PROCESS)
  return ended(outcome.kind, CODE_SENTENCES[outcome.kind])
}

const keep = (
  { files }: CodeRunParts,
  { userId, id }: CodeOrder,
  made: { files: ReadonlyMap<string, Buffer>; pictures: readonly string[] },
): Promise<MadeFiles> => keepMadeFiles(files, userId, { ...made, runId: id })
