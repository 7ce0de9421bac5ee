import type { Config } from '../config/config.ts'
import type { Logger } from '../lib/logger.ts'
import { startGateway, type Gateway } from './start-gateway.ts'

interface LastingGatewayOptions {
  readonly config: Config
  readonly log: Logger
  /** Called when it has restarted, at the same URL and possibly with other data. */
  readonly onStartedAgain: (gateway: Gateway) => void
  /** Called when it could not restart. */
  readonly onFailure: (error: unknown) => void
}

/** Gateway of this process, which restarts when another state of its data is to be used. */
export class LastingGateway {
  readonly #options: LastingGatewayOptions
  #current: Gateway
  #restarting: Promise<void> = Promise.resolve()
  #isStopping = false

  static async start(options: LastingGatewayOptions): Promise<LastingGateway> {
    const { config, log } = options
    const restart = (): void => void lasting.#restart()
    const lasting: LastingGateway = new LastingGateway(
      options,
      await startGateway(config, log, restart),
    )
    return lasting
  }

  private constructor(options: LastingGatewayOptions, first: Gateway) {
    this.#options = options
    this.#current = first
  }

  get current(): Gateway {
    return this.#current
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#restarting
    await this.#current.stop()
  }

  #restart(): Promise<void> {
    this.#restarting = this.#restarting.then(() => this.#startAgain())
    return this.#restarting
  }

  async #startAgain(): Promise<void> {
    const { config, log, onStartedAgain, onFailure } = this.#options
    if (this.#isStopping) return
    try {
      const { port } = this.#current
      await this.#current.stop()
      const restart = (): void => void this.#restart()
      this.#current = await startGateway({ ...config, port }, log, restart)
      onStartedAgain(this.#current)
    } catch (error) {
      onFailure(error)
    }
  }
}
