import path from 'node:path'
import type { Config } from '../config/config.ts'
import { badRequest, unavailable } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import type { OutgoingTarget } from '../lib/outgoing.ts'
import type { Settings } from '../settings/index.ts'
import { EngineHost } from './engine-host.ts'
import { EngineTarget } from './engine-target.ts'
import { ModelLibrary } from './library/model-library.ts'

export interface EngineDependencies {
  readonly config: Config
  readonly settings: Settings<'ENABLE_BUILT_IN_RUNTIME'>
  readonly log: Logger
}

/** The runtime that comes along: models of a folder of our own, run in a process of their own. */
export class Engine {
  readonly library: ModelLibrary
  readonly host: EngineHost
  readonly #settings: EngineDependencies['settings']
  readonly #version: string

  constructor({ config, settings, log }: EngineDependencies) {
    this.#settings = settings
    this.#version = config.productVersion
    this.host = new EngineHost(log)
    this.library = new ModelLibrary(path.join(config.dataDir, 'models'), async () => [])
  }

  /** Whether an administrator has it switched on. */
  isOn(): boolean {
    return this.#settings.get('ENABLE_BUILT_IN_RUNTIME')
  }

  onChange(listener: () => void): void {
    this.library.onChange(listener)
  }

  /** What the connection to it calls in the place of a server. */
  openTarget(): OutgoingTarget {
    return new EngineTarget({
      host: this.host,
      library: this.library,
      version: this.#version,
      pull: () => {
        throw badRequest('Downloads are not possible here.')
      },
      requireOn: () => {
        if (!this.isOn()) throw unavailable('The built-in runtime is switched off.')
      },
    })
  }

  close(): void {
    this.host.close()
  }
}
