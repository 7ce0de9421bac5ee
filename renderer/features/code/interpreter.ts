import { translate } from '../../lib/i18n.ts'
import type {
  CellLimits,
  CellValue,
  FileBytes,
  OutputPiece,
  WorkerReport,
  WorkerRequest,
} from '#contract/python-frame.ts'
import type { PythonFrame } from './python-frame.ts'

export type CellStatus = 'ok' | 'error' | 'stopped' | 'timeout' | 'memory' | 'failed'

/** Result of a run, regardless of how it ended. */
export interface CellOutcome extends CellValue {
  readonly status: CellStatus
  /** Reason the runtime itself ended; empty otherwise. */
  readonly reason: string
  readonly seconds: number
}

/** Progress of a run before its first output. */
export type CellProgress =
  | { readonly phase: 'queued' | 'loading' | 'running' }
  | { readonly phase: 'fetching'; readonly part: number | null }
  | { readonly phase: 'package'; readonly name: string }

export interface CellRun {
  /** Session whose variables it can access. */
  readonly session: string
  readonly code: string
  readonly files: readonly FileBytes[]
  readonly limits: CellLimits & { readonly seconds: number }
  /** Names of packages available at the gateway. */
  readonly installed: readonly string[]
  readonly signal: AbortSignal
  readonly onProgress: (progress: CellProgress) => void
  readonly onOutput: (pieces: readonly OutputPiece[]) => void
}

export interface Interpreter {
  run(run: CellRun): Promise<CellOutcome>
  /** Ends a session and discards its variables. */
  forget(session: string): void
  /** Ends all sessions. */
  forgetAll(): void
  has(session: string): boolean
}

/** Fetches the file of a package; resolves with null if the gateway has none of that name. */
export type FetchPackage = (name: string) => Promise<ArrayBuffer | null>

/** Maximum number of sessions, as each takes about 100 MB. */
const MOST_SESSIONS = 2
const START_MILLISECONDS = 180_000
const MOST_PACKAGES = 100
const PACKAGE_FILE = /^[\w.+-]{1,200}\.(whl|zip|tar)$/

const EMPTY: Omit<CellOutcome, 'status'> = Object.freeze({
  stdout: '',
  stderr: '',
  result: null,
  html: null,
  pictures: [],
  error: null,
  files: [],
  tooLarge: [],
  reason: '',
  seconds: 0,
})

const joined = (pieces: readonly OutputPiece[], stream: OutputPiece['stream']): string =>
  pieces
    .filter((piece) => piece.stream === stream)
    .map(({ text }) => text)
    .join('')

class FrameInterpreter implements Interpreter {
  readonly #frame: PythonFrame
  readonly #fetchPackage: FetchPackage
  /** Sessions with a worker, the most recently used last. */
  readonly #live = new Set<string>()
  /** Promises that settle when the last requested run of a session has ended. */
  readonly #queues = new Map<string, Promise<unknown>>()

  constructor(frame: PythonFrame, fetchPackage: FetchPackage) {
    this.#frame = frame
    this.#fetchPackage = fetchPackage
  }

  has(session: string): boolean {
    return this.#live.has(session)
  }

  async run(run: CellRun): Promise<CellOutcome> {
    const { session } = run
    const before = this.#queues.get(session)
    if (before) run.onProgress({ phase: 'queued' })
    const outcome = (before ?? Promise.resolve()).then(() => this.#runNext(run))
    const ended = outcome.catch(() => undefined)
    this.#queues.set(session, ended)
    try {
      return await outcome
    } finally {
      if (this.#queues.get(session) === ended) this.#queues.delete(session)
      this.#makeRoom()
    }
  }

  forget(session: string): void {
    if (this.#live.delete(session)) this.#frame.end(session)
  }

  forgetAll(): void {
    for (const session of this.#live) this.forget(session)
  }

  #makeRoom(): void {
    const idle = [...this.#live].filter((session) => !this.#queues.has(session))
    for (const session of idle.slice(0, Math.max(0, this.#live.size - MOST_SESSIONS)))
      this.forget(session)
  }

  async #runNext(run: CellRun): Promise<CellOutcome> {
    if (run.signal.aborted) return { ...EMPTY, status: 'stopped' }
    const opened = this.#frame
      .open((part) => run.onProgress({ phase: 'fetching', part }))
      .then(() => true)
    if (!(await Promise.race([opened, whenAborted(run.signal)])))
      return { ...EMPTY, status: 'stopped' }
    run.onProgress({ phase: 'loading' })
    this.#live.delete(run.session)
    this.#live.add(run.session)
    return new Promise((resolve) => {
      const finish = (outcome: CellOutcome): void => {
        if (outcome.status !== 'ok' && outcome.status !== 'error') this.forget(run.session)
        resolve(outcome)
      }
      new FollowedRun(run, {
        send: (request, hear) => this.#frame.send(run.session, request, hear),
        fetchPackage: this.#fetchPackage,
        finish,
      }).start()
    })
  }
}

interface RunLine {
  readonly send: (request: WorkerRequest, hear: (report: WorkerReport) => void) => void
  readonly fetchPackage: FetchPackage
  readonly finish: (outcome: CellOutcome) => void
}

/** One run of a cell: follows its worker's messages until it is done, stopped, timed out or gone. */
class FollowedRun {
  readonly #run: CellRun
  readonly #line: RunLine
  readonly #pieces: OutputPiece[] = []
  #length = 0
  #packages = 0
  #since = performance.now()
  #timer: ReturnType<typeof setTimeout>
  #isOver = false

  constructor(run: CellRun, line: RunLine) {
    this.#run = run
    this.#line = line
    this.#timer = setTimeout(() => this.#fail('code.tooSlow'), START_MILLISECONDS)
  }

  /** Sends the cell; the outcome is reported to `finish`. */
  start(): void {
    const { code, files, limits, installed, signal } = this.#run
    signal.addEventListener('abort', this.#stop)
    this.#line.send({ type: 'run', code, files, limits, installed }, this.#hear)
  }

  readonly #stop = (): void => this.#end({ status: 'stopped' })

  readonly #hear = (report: WorkerReport): void => {
    if (this.#isOver) return
    if (report.type === 'phase' && report.phase === 'running') this.#begin()
    else if (report.type === 'output') this.#takeOutput(report.pieces)
    else if (report.type === 'need') this.#takeNeed(report.name)
    else if (report.type === 'ended') this.#end({ status: report.reason, reason: report.message })
    else if (report.type === 'done')
      this.#end({ ...report.value, status: report.value.error ? 'error' : 'ok' })
  }

  #begin(): void {
    const { limits, onProgress } = this.#run
    this.#since = performance.now()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end({ status: 'timeout' }), limits.seconds * 1000)
    onProgress({ phase: 'running' })
  }

  #takeOutput(pieces: readonly OutputPiece[]): void {
    const { limits, onOutput } = this.#run
    this.#length += pieces.reduce((sum, { text }) => sum + text.length, 0)
    // Python truncates its output before; more can only come from code that bypasses its streams.
    if (this.#length > limits.output) return this.#fail('code.tooMuch')
    this.#pieces.push(...pieces)
    onOutput(pieces)
  }

  #takeNeed(name: string): void {
    this.#packages += 1
    if (this.#packages > MOST_PACKAGES || !PACKAGE_FILE.test(name))
      return this.#fail('code.tooMuch')
    void this.#provide(name)
  }

  async #provide(name: string): Promise<void> {
    this.#run.onProgress({ phase: 'package', name: name.split('-', 1)[0]! })
    const bytes = await this.#line.fetchPackage(name).catch(() => null)
    if (!this.#isOver) this.#line.send({ type: 'package', name, bytes }, this.#hear)
  }

  #fail(reason: 'code.tooSlow' | 'code.tooMuch'): void {
    this.#end({ status: 'failed', reason: translate(reason) })
  }

  #end(outcome: Partial<CellOutcome> & Pick<CellOutcome, 'status'>): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#run.signal.removeEventListener('abort', this.#stop)
    const pieces = this.#pieces
    const written = { stdout: joined(pieces, 'stdout'), stderr: joined(pieces, 'stderr') }
    const seconds = (performance.now() - this.#since) / 1000
    this.#line.finish({ ...EMPTY, ...written, ...outcome, seconds })
  }
}

const whenAborted = (signal: AbortSignal): Promise<false> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }))

/** Creates an interpreter that runs cells in workers of the frame, one at a time per session. */
export const createInterpreter = (frame: PythonFrame, fetchPackage: FetchPackage): Interpreter =>
  new FrameInterpreter(frame, fetchPackage)
