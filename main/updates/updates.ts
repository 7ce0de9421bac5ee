import type { UpdateAct, UpdateMode, UpdateState } from '#desktop'
import type { Logger } from '../profile/log.ts'
import { toUpdateProblem, UpdateError } from './update-problem.ts'
import type { FoundUpdate, UpdateProgram } from './update-program.ts'

/** Times in milliseconds. */
export interface UpdateTimes {
  /** Time limit for a response of the feed. */
  readonly look: number
  /** Maximum time without data during a download. */
  readonly stall: number
  /** Interval between two checks for running answers. */
  readonly wait: number
  /** Delays from the window to the first check, and between checks. */
  readonly first: number
  readonly again: number
}

export interface UpdatesDeps {
  readonly way: UpdateState['way']
  readonly version: string
  /** Null if this build has no update feed. */
  readonly program: UpdateProgram | null
  readonly mode: () => UpdateMode | null
  readonly countAnswers: () => Promise<number>
  /** Resolves with true if the feed may be contacted, which sealed mode refuses. */
  readonly mayLeave: () => Promise<boolean>
  /** Copies the database; rejects with the reason. */
  readonly backUp: () => Promise<string>
  /** Replaces the program by the verified file. */
  readonly install: (found: FoundUpdate & { file: string; backup: string }) => void
  readonly quit: () => void
  readonly onState: (state: UpdateState) => void
  readonly log: Logger
  readonly times?: UpdateTimes
}

const HOUR = 3_600_000
const TIMES: UpdateTimes = {
  look: 15_000,
  stall: 30_000,
  wait: 1_000,
  first: 10_000,
  again: 12 * HOUR,
}

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Updates of the app: checked for if the user agreed, downloaded on request, installed when the app
 * exits, and never while an answer is in progress.
 */
export class Updates {
  readonly #deps: UpdatesDeps
  readonly #times: UpdateTimes
  #state: UpdateState
  #found: FoundUpdate | null = null
  #file: string | null = null
  /** Copy made for an exit requested by the user. */
  #backup: string | null = null
  #download: AbortController | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(deps: UpdatesDeps) {
    this.#deps = deps
    this.#times = deps.times ?? TIMES
    this.#state = {
      way: deps.way,
      phase: 'idle',
      version: deps.version,
      found: null,
      share: null,
      isNews: false,
      problem: null,
      detail: null,
    }
  }

  get state(): UpdateState {
    return this.#state
  }

  /** Starts checking periodically, if the user wants that. */
  schedule(): void {
    clearTimeout(this.#timer)
    const isWanted = this.#deps.mode() === 'ask' || this.#deps.mode() === 'automatic'
    if (!isWanted || !this.#deps.program) return
    this.#timer = setTimeout(() => void this.#lookRegularly(), this.#times.first)
    this.#timer.unref()
  }

  /** Records that the last update did not replace this version. */
  noteFailure(): void {
    this.#change({ problem: 'not-installed' })
  }

  act(act: UpdateAct): UpdateState {
    if (act !== 'read') this.#state = { ...this.#state, isNews: false }
    if (act === 'look') void this.#look()
    else if (act === 'download') void this.#fetch()
    else if (act === 'cancel') this.#cancel()
    else if (act === 'restart') void this.#restart()
    return this.#state
  }

  /** Called before the gateway stops: prepares an installation on exit. */
  async prepareEnd(): Promise<void> {
    if (this.#file === null || this.#backup !== null) return
    try {
      this.#backup = await this.#deps.backUp()
    } catch (error) {
      this.#deps.log.warn(
        { error },
        'the update is delayed because the database could not be copied',
      )
    }
  }

  /** Called when the gateway has stopped. Nothing is installed without a copy of the database. */
  finishEnd(): void {
    const file = this.#file
    if (file === null || this.#backup === null || !this.#found) return
    // A second installation would replace the previous version, which users can return to.
    this.#file = null
    try {
      this.#deps.install({ ...this.#found, file, backup: this.#backup })
    } catch (error) {
      this.#deps.log.error({ error }, 'the update could not be installed')
    }
  }

  #change(change: Partial<UpdateState>): void {
    this.#state = { ...this.#state, ...change }
    this.#deps.onState(this.#state)
  }

  #fail(error: unknown, phase: UpdateState['phase']): void {
    this.#deps.log.warn({ error }, 'the update failed')
    this.#change({
      phase,
      share: null,
      problem: toUpdateProblem(error),
      detail: error instanceof Error ? error.message.split('\n', 1)[0]!.slice(0, 300) : null,
    })
  }

  async #lookRegularly(): Promise<void> {
    const { phase } = this.#state
    if (phase === 'idle' || phase === 'current') {
      await this.#look()
      if (this.#state.phase === 'found' || this.#state.phase === 'ready')
        this.#change({ isNews: true })
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#lookRegularly(), this.#times.again)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    const { program, mode, way } = this.#deps
    const isBusy = ['looking', 'downloading', 'ready', 'waiting'].includes(this.#state.phase)
    if (!program || isBusy) return
    this.#change({ phase: 'looking', problem: null, detail: null, found: null })
    try {
      await this.#requireWayOut()
      this.#found = await this.#within(program.look())
    } catch (error) {
      return this.#fail(error, 'idle')
    }
    if (!this.#found) return this.#change({ phase: 'current' })
    const { version, notes } = this.#found
    this.#change({ phase: 'found', found: { version, notes } })
    if (mode() === 'automatic' && way === 'itself') await this.#fetch()
  }

  async #requireWayOut(): Promise<void> {
    if (!(await this.#deps.mayLeave()))
      throw new UpdateError('sealed', 'Sealed mode keeps the app from the place of new versions.')
  }

  async #within<Result>(work: Promise<Result>): Promise<Result> {
    const late = delay(this.#times.look).then(() => {
      throw new UpdateError('slow', 'The feed did not answer in time.')
    })
    // The one that settles second has no listener any more.
    late.catch(() => undefined)
    work.catch(() => undefined)
    return Promise.race([work, late])
  }

  async #fetch(): Promise<void> {
    const { program, way } = this.#deps
    if (!program || way !== 'itself' || this.#state.phase !== 'found') return
    const control = new AbortController()
    this.#download = control
    this.#change({ phase: 'downloading', share: null, problem: null, detail: null })
    const stalled = Promise.withResolvers<never>()
    stalled.promise.catch(() => undefined)
    const startTimer = (): NodeJS.Timeout =>
      setTimeout(() => {
        stalled.reject(new UpdateError('slow', 'The download has stopped.'))
        control.abort()
      }, this.#times.stall)
    let timer = startTimer()
    try {
      await this.#requireWayOut()
      if (this.#download !== control) return
      const onShare = (share: number): void => {
        clearTimeout(timer)
        timer = startTimer()
        if (!control.signal.aborted) this.#change({ share })
      }
      const work = program.download(onShare, control.signal)
      const file = await Promise.race([work, stalled.promise])
      // A cancelled download may still end well, because its file is verified after it arrived.
      if (this.#download !== control) return
      this.#file = file
      this.#change({ phase: 'ready', share: null })
    } catch (error) {
      if (this.#download !== control) return
      this.#fail(error, 'found')
    } finally {
      clearTimeout(timer)
      if (this.#download === control) this.#download = null
    }
  }

  #cancel(): void {
    if (this.#state.phase === 'downloading') {
      const control = this.#download
      this.#download = null
      control?.abort()
      this.#change({ phase: 'found', share: null })
    } else if (this.#state.phase === 'waiting') this.#change({ phase: 'ready' })
  }

  /** Waits until no answer is in progress, copies the database, and exits the app. */
  async #restart(): Promise<void> {
    if (this.#state.phase !== 'ready') return
    this.#change({ phase: 'waiting', problem: null, detail: null })
    const isWanted = (): boolean => this.#state.phase === 'waiting'
    try {
      while (isWanted() && (await this.#deps.countAnswers()) > 0) await delay(this.#times.wait)
      if (!isWanted()) return
      const backup = await this.#deps.backUp().catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new UpdateError('copy', reason, { cause })
      })
      if (!isWanted()) return
      // An answer started during the copy is completed as well.
      while (isWanted() && (await this.#deps.countAnswers()) > 0) await delay(this.#times.wait)
      if (!isWanted()) return
      this.#backup = backup
      this.#startsAgain = true
      this.#deps.quit()
    } catch (error) {
      this.#fail(error, 'ready')
    }
  }

  #startsAgain = false

  /** True if the user requested the new version now, and not only on exit. */
  get startsAgain(): boolean {
    return this.#startsAgain
  }
}
