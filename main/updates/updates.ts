import type { UpdateAct, UpdateMode, UpdateState } from '#desktop'
import type { Logger } from '../log.ts'
import { toUpdateProblem, UpdateError } from './update-problem.ts'
import type { FoundUpdate, UpdateProgram } from './update-program.ts'

/** Milliseconds. */
export interface UpdateTimes {
  /** For the feed to answer. */
  readonly look: number
  /** Longest silence of a download. */
  readonly stall: number
  /** Between two looks at whether answers run. */
  readonly wait: number
  /** From the window to the first look, and from one look to the next. */
  readonly first: number
  readonly again: number
}

export interface UpdatesDeps {
  readonly way: UpdateState['way']
  readonly version: string
  /** Null where this build knows no place of new versions. */
  readonly program: UpdateProgram | null
  readonly mode: () => UpdateMode | null
  readonly countAnswers: () => Promise<number>
  /** Whether the place of new versions may be contacted, which sealed mode refuses. */
  readonly mayLeave: () => Promise<boolean>
  /** Copies the database; fails with the reason. */
  readonly backUp: () => Promise<string>
  /** Puts the checked file in the place of the program. */
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
 * New versions of the app: looked for when the person agreed, fetched when they said so, installed
 * when the app ends, and never while an answer is being written.
 */
export class Updates {
  readonly #deps: UpdatesDeps
  readonly #times: UpdateTimes
  #state: UpdateState
  #found: FoundUpdate | null = null
  #file: string | null = null
  /** Made for the end that the person asked for. */
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

  /** Looks now and then from here on, if the person wants that. */
  schedule(): void {
    clearTimeout(this.#timer)
    const isWanted = this.#deps.mode() === 'ask' || this.#deps.mode() === 'automatic'
    if (!isWanted || !this.#deps.program) return
    this.#timer = setTimeout(() => void this.#lookRegularly(), this.#times.first)
    this.#timer.unref()
  }

  /** The last update did not take the place of this version. */
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

  /** Before the gateway ends: what an installation at the end needs of it. */
  async prepareEnd(): Promise<void> {
    if (this.#file === null || this.#backup !== null) return
    try {
      this.#backup = await this.#deps.backUp()
    } catch (error) {
      this.#deps.log.warn({ error }, 'the update waits: no copy of the database could be made')
    }
  }

  /** When the gateway has ended. Nothing is installed without a copy of the database. */
  finishEnd(): void {
    if (this.#file === null || this.#backup === null || !this.#found) return
    try {
      this.#deps.install({ ...this.#found, file: this.#file, backup: this.#backup })
    } catch (error) {
      this.#deps.log.error({ error }, 'the update could not be installed')
    }
  }

  #change(change: Partial<UpdateState>): void {
    this.#state = { ...this.#state, ...change }
    this.#deps.onState(this.#state)
  }

  #fail(error: unknown, phase: UpdateState['phase']): void {
    this.#deps.log.warn({ error }, 'the update did not work')
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
    // Whichever comes second has no listener any more.
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
      this.#file = await Promise.race([work, stalled.promise])
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

  /** Waits until no answer is being written, copies the database, and ends the app. */
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
      // An answer that began during the copy is let finish as well.
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

  /** Whether the person asked for the new version now, and not only at the end. */
  get startsAgain(): boolean {
    return this.#startsAgain
  }
}
