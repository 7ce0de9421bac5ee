import type { GatewayProcess } from './gateway.ts'
import {
  messageFromGatewaySchema,
  type GatewayAnswer,
  type LeavePurpose,
  type MessageFromGateway,
  type MessageToGateway,
  type StartFailure,
} from './gateway-messages.ts'
import type { WindowTrafficReport } from '../security/window-traffic.ts'
import { watchAnswers } from './watch-answers.ts'

/** Time limits in milliseconds. Starting may include the upgrade of a large database. */
export interface RunLimits {
  readonly start: number
  readonly stop: number
  /** For the response to a request. */
  readonly code: number
  /** For a copy of the database, which may be large. */
  readonly backup: number
  /** Between two questions whether the process still answers. */
  readonly watch: number
}

export interface GatewayAddress {
  readonly url: string
  readonly port: number
  /** True if it restarted by itself with other data, where no user is signed in. */
  readonly isAnew: boolean
}

export interface RunOptions {
  readonly process: GatewayProcess
  readonly startMessage: Extract<MessageToGateway, { type: 'start' }>
  readonly limits: RunLimits
  /** Resolves with true if the URL responds; polled until it does. */
  readonly isHealthy: (url: string) => Promise<boolean>
  /** Resolves with the system's proxies to an origin, as in `PROXY one:3128; DIRECT`. */
  readonly findProxies: (origin: string) => Promise<string>
  /** Called when sealed mode was switched on or off. */
  readonly onSealed: () => void
  readonly onReady: (address: GatewayAddress) => void
  /** Called when the ready process has stopped answering, and when it answers again. */
  readonly onSilent: (isSilent: boolean) => void
  /** Called when the process ended unexpectedly; `failure` is the reason it reported itself. */
  readonly onCrash: (code: number | null, failure: StartFailure | null) => void
}

type ProxyQuestion = Extract<MessageFromGateway, { type: 'find-proxies' }>

/** A pending request to the gateway. */
interface Question {
  readonly type: GatewayAnswer['type']
  readonly resolve: (answer: GatewayAnswer) => void
  readonly reject: (reason: Error) => void
}

const HEALTH_INTERVAL = 50

const delay = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

function requireFile({ file, problem }: Extract<GatewayAnswer, { type: 'backed-up' }>): string {
  if (file === null) throw new Error(problem ?? 'The gateway gave no reason.')
  return file
}

/** One run of the server process, from its start message to its exit. */
export class GatewayRun {
  readonly #options: RunOptions
  readonly #ended = Promise.withResolvers<void>()
  readonly #questions: Question[] = []
  readonly #startTimer: NodeJS.Timeout
  #isWatched = true
  #stopWatching = (): void => undefined
  #failure: StartFailure | null = null

  constructor(options: RunOptions) {
    const { process, limits, startMessage } = options
    this.#options = options
    this.#startTimer = setTimeout(() => process.kill(), limits.start)
    process.onMessage((data) => {
      const parsed = messageFromGatewaySchema.safeParse(data)
      if (parsed.success) this.#receive(parsed.data)
    })
    process.onExit((code) => this.#exit(code))
    process.send(startMessage)
  }

  async requestCode(): Promise<string> {
    const { code } = this.#options.limits
    return (await this.#ask({ type: 'desktop-code' }, 'desktop-code', code)).code
  }

  /** Resolves with the number of answers in progress. */
  async countAnswers(): Promise<number> {
    const { code } = this.#options.limits
    return (await this.#ask({ type: 'activity' }, 'activity', code)).answers
  }

  /** Resolves with true if the app itself may contact a host, which sealed mode refuses. */
  async mayLeave(host: string, port: number, purpose: LeavePurpose): Promise<boolean> {
    const { code } = this.#options.limits
    return (await this.#ask({ type: 'leave', host, port, purpose }, 'leave', code)).isAllowed
  }

  /** Has the database copied; resolves with the file, or rejects with an error message. */
  async backUp(label: string): Promise<string> {
    const { backup } = this.#options.limits
    return requireFile(await this.#ask({ type: 'back-up', label }, 'backed-up', backup))
  }

  setPaused(isPaused: boolean): void {
    this.#options.process.send({ type: 'pause', isPaused })
  }

  reportTraffic(report: WindowTrafficReport): void {
    this.#options.process.send({ type: 'window-traffic', ...report })
  }

  /**
   * Asks the process to stop and kills it if it takes too long; settles when it has exited. No
   * callback is called any more.
   */
  async stop(): Promise<void> {
    this.#isWatched = false
    clearTimeout(this.#startTimer)
    this.#stopWatching()
    this.#end()
    await this.#ended.promise
  }

  async #waitUntilHealthy(address: GatewayAddress): Promise<void> {
    const { isHealthy, limits, onReady, onSilent } = this.#options
    while (this.#isWatched && !(await isHealthy(address.url))) await delay(HEALTH_INTERVAL)
    if (!this.#isWatched) return
    clearTimeout(this.#startTimer)
    onReady(address)
    const ask = () => this.#ask({ type: 'activity' }, 'activity')
    this.#stopWatching = watchAnswers(ask, limits.watch, onSilent)
  }

  async #tellProxies({ id, origin }: ProxyQuestion): Promise<void> {
    const { process, findProxies } = this.#options
    process.send({ type: 'proxies', id, route: await findProxies(origin).catch(() => null) })
  }

  #receive(message: MessageFromGateway): void {
    if (message.type === 'ready') void this.#waitUntilHealthy(message)
    else if (message.type === 'sealed') this.#options.onSealed()
    else if (message.type === 'find-proxies') void this.#tellProxies(message)
    else if (message.type === 'failed') {
      this.#failure = message
      this.#end()
    } else {
      const place = this.#questions.findIndex(({ type }) => type === message.type)
      if (place !== -1) this.#questions.splice(place, 1)[0]!.resolve(message)
    }
  }

  /** Responses of one type arrive in the order of their requests; without a limit, at any time. */
  #ask<Type extends GatewayAnswer['type']>(
    message: MessageToGateway,
    type: Type,
    limit?: number,
  ): Promise<Extract<GatewayAnswer, { type: Type }>> {
    const { promise, resolve, reject } =
      Promise.withResolvers<Extract<GatewayAnswer, { type: Type }>>()
    this.#questions.push({ type, resolve: resolve as Question['resolve'], reject })
    const giveUp = (): void => reject(new Error('The gateway did not answer in time.'))
    const timer = limit === undefined ? undefined : setTimeout(giveUp, limit)
    this.#options.process.send(message)
    return promise.finally(() => clearTimeout(timer))
  }

  /** Requests the exit and enforces it. */
  #end(): void {
    const { process, limits } = this.#options
    process.send({ type: 'stop' })
    const killTimer = setTimeout(() => process.kill(), limits.stop)
    void this.#ended.promise.then(() => clearTimeout(killTimer))
  }

  #exit(code: number | null): void {
    const wasWatched = this.#isWatched
    this.#isWatched = false
    clearTimeout(this.#startTimer)
    this.#stopWatching()
    for (const waiting of this.#questions.splice(0))
      waiting.reject(new Error('The gateway stopped before it could answer.'))
    this.#ended.resolve()
    if (wasWatched) this.#options.onCrash(code, this.#failure)
  }
}
