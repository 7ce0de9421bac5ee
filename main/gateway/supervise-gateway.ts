import type { GatewayProcess } from './gateway.ts'
import type { LeavePurpose, StartFailure } from './gateway-messages.ts'
import { GatewayRun, type RunLimits, type RunOptions } from './gateway-run.ts'
import { say } from '../system/language.ts'
import type { Logger } from '../profile/log.ts'
import { RestartPolicy } from './restart-policy.ts'
import type { WindowTrafficReport } from '../security/window-traffic.ts'

export type GatewayState =
  | { name: 'stopped' | 'starting' | 'restarting' }
  /**
   * `isAnew`: with other data than before, where no user is signed in. `isSilent`: its process runs
   * but has stopped answering. `takenPort`: the port it was to have, which another program uses.
   */
  | { name: 'ready'; url: string; isAnew?: boolean; isSilent?: boolean; takenPort?: number }
  /** Stopped until `restart` is called; `failure` is null after repeated crashes. */
  | { name: 'failed'; detail: string; failure: StartFailure | null }

export interface SupervisorOptions {
  /** `recovery` is the user's decision about a damaged database. */
  readonly spawn: (recovery: string | null) => GatewayProcess
  readonly start: Omit<RunOptions['startMessage'], 'type' | 'rootSecret'>
  readonly isHealthy: RunOptions['isHealthy']
  readonly findProxies: RunOptions['findProxies']
  readonly onState: (state: GatewayState) => void
  readonly onSealed: RunOptions['onSealed']
  readonly log: Logger
  /** Folder of the log, named to the user after repeated crashes. */
  readonly logs: string
  readonly policy?: Pick<RestartPolicy, 'next' | 'reset'>
  readonly limits?: RunLimits
}

const DEFAULT_LIMITS: RunLimits = {
  start: 120_000,
  stop: 5_000,
  code: 5_000,
  backup: 300_000,
  watch: 10_000,
}

const givenUp = (folder: string): GatewayState => ({
  name: 'failed',
  detail: say('failure.crashes', { folder }),
  failure: null,
})

/** Owner of the server process: starts it, keeps it running on the same port, stops it. */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #policy: Pick<RestartPolicy, 'next' | 'reset'>
  #state: GatewayState = { name: 'stopped' }
  #run: GatewayRun | null = null
  #ending: Promise<void> = Promise.resolve()
  #rootSecret: string | null = null
  #isWanted = false
  #isPaused = false
  #port: number
  #restartTimer: NodeJS.Timeout | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#policy = options.policy ?? new RestartPolicy()
    this.#port = options.start.port
  }

  get state(): GatewayState {
    return this.#state
  }

  /** Returns the origin of the running gateway; null while it is not running. */
  get origin(): string | null {
    return this.#state.name === 'ready' ? new URL(this.#state.url).origin : null
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  start(rootSecret: string): void {
    if (this.#isWanted) return
    this.#rootSecret = rootSecret
    this.#isWanted = true
    this.#enter({ name: 'starting' })
    this.#launch(null)
  }

  /** Stops and restarts, clearing the crash count; does nothing before the first start. */
  async restart(recovery?: string): Promise<void> {
    if (this.#rootSecret === null) return
    this.#isWanted = true
    this.#enter({ name: 'restarting' })
    await this.#endRun()
    this.#policy.reset()
    if (this.#isWanted && !this.#run) this.#launch(recovery ?? null)
  }

  async stop(): Promise<void> {
    this.#isWanted = false
    await this.#endRun()
    if (!this.#isWanted && this.#state.name !== 'stopped') this.#enter({ name: 'stopped' })
  }

  /** Pauses client calls, also after a restart of the gateway, until the app exits. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
    this.#ready?.setPaused(isPaused)
  }

  /** Resolves with a new single-use sign-in code of the running gateway. */
  async requestCode(): Promise<string> {
    return this.#requireReady().requestCode()
  }

  /** Resolves with the number of answers in progress; zero while the gateway is not running. */
  async countAnswers(): Promise<number> {
    return this.#ready?.countAnswers() ?? 0
  }

  /**
   * Resolves with true if the app itself may contact a host; rejects while the gateway is not
   * running.
   */
  async mayLeave(host: string, port: number, purpose: LeavePurpose): Promise<boolean> {
    return this.#requireReady().mayLeave(host, port, purpose)
  }

  /** Reports requests of windows; lost while the gateway is not running. */
  reportTraffic(report: WindowTrafficReport): void {
    this.#ready?.reportTraffic(report)
  }

  /** Has the database copied; resolves with the file, or rejects with an error message. */
  async backUp(label: string): Promise<string> {
    return this.#requireReady().backUp(label)
  }

  get #ready(): GatewayRun | null {
    return this.#state.name === 'ready' ? this.#run : null
  }

  #requireReady(): GatewayRun {
    const run = this.#ready
    if (!run) throw new Error('The gateway is not running.')
    return run
  }

  #enter(next: GatewayState): void {
    this.#state = next
    const isSilent = next.name === 'ready' && next.isSilent
    this.#options.log.info({ state: next.name, ...(isSilent && { isSilent }) }, 'gateway state')
    this.#options.onState(next)
  }

  #handleCrash(code: number | null, failure: StartFailure | null): void {
    this.#run = null
    if (failure) return this.#enter({ name: 'failed', detail: failure.message, failure })
    const wait = this.#policy.next()
    this.#options.log.warn({ code, wait }, 'the gateway ended unexpectedly')
    if (wait === null) return this.#enter(givenUp(this.#options.logs))
    this.#restartTimer = setTimeout(() => this.#launch(null), wait)
    this.#enter({ name: 'restarting' })
  }

  #launch(recovery: string | null): void {
    const {
      spawn,
      start,
      limits = DEFAULT_LIMITS,
      isHealthy,
      findProxies,
      onSealed,
    } = this.#options
    const rootSecret = this.#rootSecret
    if (rootSecret === null) throw new Error('The gateway is not started without its key.')
    this.#run = new GatewayRun({
      process: spawn(recovery),
      startMessage: { type: 'start', ...start, rootSecret, port: this.#port },
      limits,
      isHealthy,
      findProxies,
      onSealed,
      onReady: ({ url, port, isAnew }) => {
        const isTaken = this.#port !== 0 && this.#port !== port
        const takenPort = this.#port
        this.#port = port
        if (this.#isPaused) this.#run?.setPaused(true)
        this.#enter({
          name: 'ready',
          url,
          ...(isAnew && { isAnew: true }),
          ...(isTaken && { takenPort }),
        })
      },
      onSilent: (isSilent) => {
        const { state } = this
        if (state.name === 'ready') this.#enter({ name: 'ready', url: state.url, isSilent })
      },
      onCrash: (...given) => this.#handleCrash(...given),
    })
  }

  /** Ends the current or starting run; several callers wait for the same exit. */
  #endRun(): Promise<void> {
    clearTimeout(this.#restartTimer)
    const current = this.#run
    this.#run = null
    if (current) this.#ending = current.stop()
    return this.#ending
  }
}
