import type { GatewayProcess } from './gateway.ts'
import {
  messageFromGatewaySchema,
  type GatewayAnswer,
  type MessageFromGateway,
  type MessageToGateway,
  type StartFailure,
} from './gateway-messages.ts'

/** Times in milliseconds. Starting may include the upgrade of a large database. */
export interface RunLimits {
  readonly start: number
  readonly stop: number
  /** For an answer to a question. */
  readonly code: number
  /** For a copy of the database, which may be large. */
  readonly backup: number
}

export interface GatewayAddress {
  readonly url: string
  readonly port: number
  /** It started again by itself with other data, where nobody is signed in. */
  readonly isAnew: boolean
}

export interface RunOptions {
  readonly process: GatewayProcess
  readonly startMessage: Extract<MessageToGateway, { type: 'start' }>
  readonly limits: RunLimits
  /** Whether the address really answers; asked until it does. */
  readonly isHealthy: (url: string) => Promise<boolean>
  /** What the system says of the proxies to an origin, as in `PROXY one:3128; DIRECT`. */
  readonly findProxies: (origin: string) => Promise<string>
  readonly onReady: (address: GatewayAddress) => void
  /** The process ended without being asked to; `failure` is the reason it gave itself. */
  readonly onCrash: (code: number | null, failure: StartFailure | null) => void
}

type ProxyQuestion = Extract<MessageFromGateway, { type: 'find-proxies' }>

/** A question to the gateway that waits for its answer. */
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

/** One life of the server process, from its start message to its end. */
export class GatewayRun {
  readonly #options: RunOptions
  readonly #ended = Promise.withResolvers<void>()
  readonly #questions: Question[] = []
  readonly #startTimer: NodeJS.Timeout
  #isWatched = true
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

  /** How many answers are being written. */
  async countAnswers(): Promise<number> {
    const { code } = this.#options.limits
    return (await this.#ask({ type: 'activity' }, 'activity', code)).answers
  }

  /** Whether the app may contact a host for an update, which sealed mode refuses. */
  async mayLeave(host: string, port: number): Promise<boolean> {
    const { code } = this.#options.limits
    return (await this.#ask({ type: 'leave', host, port }, 'leave', code)).isAllowed
  }

  /** Has the database copied; answers the file, or fails with the reason in words. */
  async backUp(label: string): Promise<string> {
    const { backup } = this.#options.limits
    return requireFile(await this.#ask({ type: 'back-up', label }, 'backed-up', backup))
  }

  setPaused(isPaused: boolean): void {
    this.#options.process.send({ type: 'pause', isPaused })
  }

  /**
   * Asks it to stop and kills it when it takes too long; settles when it is gone. No callback fires
   * any more.
   */
  async stop(): Promise<void> {
    this.#isWatched = false
    clearTimeout(this.#startTimer)
    this.#end()
    await this.#ended.promise
  }

  async #waitUntilHealthy(address: GatewayAddress): Promise<void> {
    const { isHealthy, onReady } = this.#options
    while (this.#isWatched && !(await isHealthy(address.url))) await delay(HEALTH_INTERVAL)
    if (!this.#isWatched) return
    clearTimeout(this.#startTimer)
    onReady(address)
  }

  async #tellProxies({ id, origin }: ProxyQuestion): Promise<void> {
    const { process, findProxies } = this.#options
    process.send({ type: 'proxies', id, route: await findProxies(origin).catch(() => null) })
  }

  #receive(message: MessageFromGateway): void {
    if (message.type === 'ready') void this.#waitUntilHealthy(message)
    else if (message.type === 'find-proxies') void this.#tellProxies(message)
    else if (message.type === 'failed') {
      this.#failure = message
      this.#end()
    } else {
      const place = this.#questions.findIndex(({ type }) => type === message.type)
      if (place !== -1) this.#questions.splice(place, 1)[0]!.resolve(message)
    }
  }

  /** Answers of one kind come in the order of their questions. */
  #ask<Type extends GatewayAnswer['type']>(
    message: MessageToGateway,
    type: Type,
    limit: number,
  ): Promise<Extract<GatewayAnswer, { type: Type }>> {
    const { promise, resolve, reject } =
      Promise.withResolvers<Extract<GatewayAnswer, { type: Type }>>()
    this.#questions.push({ type, resolve: resolve as Question['resolve'], reject })
    const timer = setTimeout(() => reject(new Error('The gateway did not answer in time.')), limit)
    this.#options.process.send(message)
    return promise.finally(() => clearTimeout(timer))
  }

  /** Asks for the end and enforces it. */
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
    for (const waiting of this.#questions.splice(0))
      waiting.reject(new Error('The gateway stopped before it could answer.'))
    this.#ended.resolve()
    if (wasWatched) this.#options.onCrash(code, this.#failure)
  }
}
