import path from 'node:path'
import type { CodeResult } from '#contract/code.ts'
import type { Chats } from '../chats/index.ts'
import type { Config } from '../config/config.ts'
import type { Events } from '../events/index.ts'
import type { Route } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import { createOutgoingFetch } from '../lib/outgoing/outgoing-fetch.ts'
import type { Plugins } from '../plugins/index.ts'
import type { Users } from '../users/index.ts'
import type { CodeFiles } from './exchange-files.ts'
import { Kernels } from './jupyter/kernels.ts'
import { Packages } from './packages.ts'
import { createCodeRoutes } from './routes.ts'
import { runCode, type CodeOrder, type CodeRunParts } from './run-code.ts'
import { RunsOfUsers } from './runs-of-users.ts'
import { Runners, type CellPlace } from './runner/runners.ts'
import { choosePlaces, type CellPlaces } from './runner/places.ts'
import { runtimeFolder } from './runner/start-runner.ts'
import { NamedRuns, type Live } from '../live/index.ts'
import { isOffline } from '../settings/index.ts'
import type { CodeSettings } from './code-settings.ts'

export type { CodeOrder } from './run-code.ts'

export interface CodeDependencies {
  readonly settings: CodeSettings
  readonly config: Pick<Config, 'dataDir'>
  /** The other gateways on the database. */
  readonly live: Live | null
  readonly chats: Pick<Chats, 'ownerOf'>
  readonly users: Users
  readonly events: Pick<Events, 'call' | 'emitTo' | 'hasSession' | 'windowOf'>
  readonly files: CodeFiles
  readonly fence: Plugins['fence']
  readonly log: Logger
}

/** Longer than the maximum time of a run, which ends the call first. */
const LONGEST_WAIT = 24 * 3_600_000
const OFFLINE = 'The gateway is in offline or sealed mode, so nothing is fetched.'

/** Finds a connected window of the user who runs code. */
const findOn =
  (events: Pick<Events, 'call' | 'windowOf'>): CodeRunParts['findWindow'] =>
  ({ id, userId, chatId }) => {
    const sessionId = events.windowOf(userId)
    if (sessionId === null) return null
    const place = { chat_id: chatId ?? id, message_id: id }
    return {
      sessionId,
      ask: (data, signal) =>
        events.call(sessionId, userId, { ...place, data }, { timeoutMs: LONGEST_WAIT, signal }),
    }
  }

/**
 * Code of users and of models: Python in windows, in processes of the gateway, or on a Jupyter
 * server. Nothing is started before code is run.
 */
export class Code {
  readonly #settings: CodeSettings
  readonly #log: Logger
  readonly #outgoing = createOutgoingFetch({ kind: 'code' })
  readonly #packages: Packages
  readonly #places: CellPlaces
  readonly #runners: Runners
  readonly #kernels: Kernels
  readonly #parts: CodeRunParts
  readonly #runs = new RunsOfUsers()
  readonly #named: NamedRuns
  readonly routes: readonly Route[]

  constructor(dependencies: CodeDependencies) {
    const { settings, config, chats, users, events, files, fence, log } = dependencies
    this.#settings = settings
    this.#log = log
    this.#named = new NamedRuns(dependencies.live, 'code-runs')
    const packages = (this.#packages = new Packages({
      runtimeFolder: runtimeFolder(),
      folder: path.join(config.dataDir, 'code', 'packages'),
      source: () => settings.get('CODE_PACKAGES_URL'),
      refusal: () => (isOffline(settings) ? OFFLINE : null),
      fetch: this.#outgoing.fetch,
      log,
    }))
    const mode = () => settings.get('CODE_ON_GATEWAY')
    const places = (this.#places = choosePlaces({ fence, packages, mode }))
    const runners = (this.#runners = new Runners({ settings, start: places.start }))
    const kernels = (this.#kernels = new Kernels({ outgoing: this.#outgoing, settings }))
    users.onBarred((userId) => {
      this.#runs.end(userId)
      runners.expel(userId)
      kernels.expel(userId)
    })
    const { refusal } = places
    this.#parts = { settings, files, runners, kernels, refusal, findWindow: findOn(events), log }
    this.routes = createCodeRoutes({
      settings,
      chats,
      events,
      stateOf: (place) => {
        const kernel = kernels.stateOf(place)
        return kernel.state === 'none' ? runners.stateOf(place) : kernel
      },
      forget: (place) => this.#forget(place),
      packages,
      places,
      run: (order) => this.run(order),
      named: this.#named,
      runtimeFolder: runtimeFolder(),
    })
  }

  /**
   * Starts receiving the runs of other gateways; must be awaited before the gateway serves
   * requests.
   */
  open(): Promise<void> {
    return this.#named.open()
  }

  /** Runs code; errors are in the result. */
  run(order: CodeOrder): Promise<CodeResult> {
    return this.#runs.within(order, (signal) => runCode(this.#parts, { ...order, signal }))
  }

  /** Preloads a process if code of a model is likely to need one soon. */
  warm(): void {
    if (this.#settings.get('CODE_INTERPRETER_ENGINE') === 'jupyter') return
    // The cell that needs a process reports why there is none.
    this.#load().catch((error: unknown) =>
      this.#log.info({ error }, 'no code process could be started in advance'),
    )
  }

  /** Ends the process or kernel with the variables of a chat, or of the given substitute. */
  async forget(userId: string, chatId: string): Promise<void> {
    await this.#forget({ userId, chatId })
  }

  /** Ends every process. */
  async close(): Promise<void> {
    this.#packages.stop()
    await Promise.all([this.#runners.close(), this.#kernels.close()])
    await this.#outgoing.close()
  }

  async #load(): Promise<void> {
    if ((await this.#places.refusal()) === null) await this.#runners.warm()
  }

  async #forget(place: CellPlace): Promise<boolean> {
    return (await Promise.all([this.#runners.forget(place), this.#kernels.forget(place)])).some(
      Boolean,
    )
  }
}
