import type { GatewayProcess } from './gateway.ts'
import type { StartFailure } from './gateway-messages.ts'
import { startRun, type GatewayRun, type RunLimits, type RunOptions } from './gateway-run.ts'
import { say } from './language.ts'
import type { Logger } from './log.ts'
import { createRestartPolicy, type RestartPolicy } from './restart-policy.ts'

export type GatewayState =
  | { name: 'stopped' | 'starting' | 'restarting' }
  /** `isAnew`: with other data than before, where nobody is signed in. */
  | { name: 'ready'; url: string; isAnew?: boolean }
  /** Given up until `restart` is called; `failure` is null after repeated crashes. */
  | { name: 'failed'; detail: string; failure: StartFailure | null }

export interface SupervisorOptions {
  /** `recovery` is the person's answer to a damaged database. */
  readonly spawn: (recovery: string | null) => GatewayProcess
  readonly start: Omit<RunOptions['startMessage'], 'type'>
  readonly isHealthy: RunOptions['isHealthy']
  readonly findProxies: RunOptions['findProxies']
  readonly onState: (state: GatewayState) => void
  readonly log: Logger
  readonly policy?: RestartPolicy
  readonly limits?: RunLimits
}

/** Owner of the server process: starts it, keeps it running on the same port, stops it. */
export interface Supervisor {
  readonly state: GatewayState
  start(): void
  /** Stops and starts again, forgetting earlier crashes. */
  restart(recovery?: string): Promise<void>
  stop(): Promise<void>
  readonly isPaused: boolean
  /** Lets calls of programs wait, also after a restart of the gateway, until the app ends. */
  setPaused(isPaused: boolean): void
  /** A fresh single-use sign-in code of the running gateway. */
  requestCode(): Promise<string>
  /** How many answers are being written; none while the gateway does not run. */
  countAnswers(): Promise<number>
  /** Whether the app may contact a host for an update; fails while the gateway does not run. */
  mayLeave(host: string, port: number): Promise<boolean>
  /** Has the database copied; answers the file, or fails with the reason in words. */
  backUp(label: string): Promise<string>
}

const DEFAULT_LIMITS: RunLimits = { start: 120_000, stop: 5_000, code: 5_000, backup: 300_000 }

const givenUp = (): GatewayState => ({
  name: 'failed',
  detail: say('failure.crashes'),
  failure: null,
})

/** What a gateway that runs is asked, and asks. */
const toAnswers = ({ isHealthy, findProxies }: SupervisorOptions) => ({ isHealthy, findProxies })

function requireRun(run: GatewayRun | null): GatewayRun {
  if (!run) throw new Error('The gateway is not running.')
  return run
}

export function superviseGateway(options: SupervisorOptions): Supervisor {
  const { log, policy = createRestartPolicy(), limits = DEFAULT_LIMITS } = options
  let state: GatewayState = { name: 'stopped' }
  let run: GatewayRun | null = null
  let ending: Promise<void> = Promise.resolve()
  let isWanted = false
  let isPaused = false
  let port = options.start.port
  let restartTimer: NodeJS.Timeout | undefined

  function enter(next: GatewayState): void {
    state = next
    log.info({ state: next.name }, 'gateway state')
    options.onState(next)
  }

  function handleCrash(code: number | null, failure: StartFailure | null): void {
    run = null
    if (failure) return enter({ name: 'failed', detail: failure.message, failure })
    const wait = policy.next()
    log.warn({ code, wait }, 'the gateway ended unexpectedly')
    if (wait === null) return enter(givenUp())
    restartTimer = setTimeout(() => launch(null), wait)
    enter({ name: 'restarting' })
  }

  function launch(recovery: string | null): void {
    run = startRun({
      process: options.spawn(recovery),
      startMessage: { type: 'start', ...options.start, port },
      limits,
      ...toAnswers(options),
      onReady(address) {
        port = address.port
        if (isPaused) run?.setPaused(true)
        enter({ name: 'ready', url: address.url, ...(address.isAnew && { isAnew: true }) })
      },
      onCrash: handleCrash,
    })
  }

  /** Ends what runs or is about to; several callers wait for the same end. */
  function endRun(): Promise<void> {
    clearTimeout(restartTimer)
    const current = run
    run = null
    if (current) ending = current.stop()
    return ending
  }

  const running = (): GatewayRun => requireRun(state.name === 'ready' ? run : null)

  return {
    get state() {
      return state
    },
    start() {
      if (isWanted) return
      isWanted = true
      enter({ name: 'starting' })
      launch(null)
    },
    async restart(recovery) {
      isWanted = true
      enter({ name: 'restarting' })
      await endRun()
      policy.reset()
      if (isWanted && !run) launch(recovery ?? null)
    },
    async stop() {
      isWanted = false
      await endRun()
      if (!isWanted && state.name !== 'stopped') enter({ name: 'stopped' })
    },
    get isPaused() {
      return isPaused
    },
    setPaused(next) {
      isPaused = next
      if (state.name === 'ready') run?.setPaused(next)
    },
    requestCode: async () => running().requestCode(),
    countAnswers: async () => (state.name === 'ready' && run ? run.countAnswers() : 0),
    mayLeave: async (host, port) => running().mayLeave(host, port),
    backUp: async (label) => running().backUp(label),
  }
}
