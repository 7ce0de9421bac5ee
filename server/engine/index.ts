import path from 'node:path'
import type { Config } from '../config/config.ts'
import { unavailable } from '../lib/errors.ts'
import { GuardedFetch } from '../lib/outgoing/guarded-fetch.ts'
import type { Route } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import type { OutgoingTarget } from '../lib/outgoing/outgoing.ts'
import type { GatewaySettings, Settings } from '../settings/index.ts'
import { listCudaPackages } from './cuda/cuda-packages.ts'
import { CudaSupport } from './cuda/cuda-support.ts'
import { hasNvidiaCard } from './cuda/find-card.ts'
import { Blobs } from './downloads/blobs.ts'
import { Downloads, type DownloadsDependencies } from './downloads/downloads.ts'
import { EngineHost } from './engine-host.ts'
import { EngineTarget } from './engine-target.ts'
import { ModelLibrary } from './library/model-library.ts'
import { toFolders } from './library/other-folders.ts'
import { createEngineRoutes } from './routes.ts'

export { findNamedFile } from './downloads/find-source.ts'
export { receiveModelFile } from './downloads/receive-model-file.ts'
export { measureSpace } from './library/measure-space.ts'
export type { Downloads } from './downloads/downloads.ts'
export { startEngine, type EngineProcess } from './start-engine.ts'

type EngineSettings = Settings<
  | 'ENABLE_BUILT_IN_RUNTIME'
  | 'MODEL_MIRRORS'
  | 'MODEL_FOLDERS'
  | 'CUDA_PACKAGE_REGISTRY'
  | 'OFFLINE_MODE'
  | 'WEB_FETCH_ALLOWED_HOSTS'
  | 'ENABLE_LOCAL_WEB_FETCH'
>

export interface EngineDependencies {
  readonly config: Config
  readonly settings: EngineSettings & Pick<GatewaySettings, 'onChange'>
  readonly log: Logger
  /** Shorter in tests. */
  readonly patience?: Pick<DownloadsDependencies, 'stallMilliseconds' | 'pauseMilliseconds'>
}

const LIST_BYTES = 8_000_000
const LIST_MILLISECONDS = 30_000

/** Downloads may use the servers an administrator set, wherever they are, and public URLs. */
function createFetch(settings: EngineSettings, addresses: () => readonly string[]): GuardedFetch {
  const policy = () => {
    const hubs = addresses().flatMap((address) => URL.parse(address)?.host ?? [])
    return {
      allowedHosts: [...settings.get('WEB_FETCH_ALLOWED_HOSTS'), ...hubs],
      allowLocal: settings.get('ENABLE_LOCAL_WEB_FETCH'),
      offline: settings.get('OFFLINE_MODE'),
      maximumBytes: LIST_BYTES,
      timeoutMilliseconds: LIST_MILLISECONDS,
    }
  }
  return new GuardedFetch(policy, { purpose: { kind: 'model_download' } })
}

/** The bundled runtime: models of the gateway's own folder, run in a separate process. */
export class Engine {
  readonly library: ModelLibrary
  readonly host: EngineHost
  readonly downloads: Downloads
  readonly #cuda: CudaSupport
  readonly #blobs: Blobs
  readonly routes: readonly Route[]
  readonly #settings: EngineSettings
  readonly #version: string
  readonly #patience: EngineDependencies['patience']

  constructor({ config, settings, log, patience }: EngineDependencies) {
    this.#settings = settings
    this.#version = config.productVersion
    this.host = new EngineHost(log, () => this.#cuda.entries())
    const namedFolders = (): readonly string[] => settings.get('MODEL_FOLDERS')
    this.library = new ModelLibrary(
      path.join(config.dataDir, 'models'),
      () => Promise.resolve(toFolders(namedFolders())),
      (file) => this.host.forget(file),
    )
    const folder = path.join(config.dataDir, 'model-downloads')
    this.#patience = patience
    this.downloads = this.openDownloads({
      library: this.library,
      folder,
      onPulled: (repository, model) => this.library.notePulled(repository, model),
    })
    this.#cuda = this.#createCudaSupport(config)
    this.#blobs = new Blobs(path.join(config.dataDir, 'model-blobs'))
    this.routes = createEngineRoutes({
      library: this.library,
      downloads: this.downloads,
      cuda: this.#cuda,
      uploadFolder: folder,
      isOn: () => this.isOn(),
      namedFolders,
    })
    settings.onChange(async (keys) => {
      if (keys.includes('MODEL_FOLDERS')) this.library.announce()
    })
  }

  /**
   * Opens downloads of models other than language models, from the same hubs and with the same
   * retries.
   */
  openDownloads(
    parts: Pick<DownloadsDependencies, 'library' | 'folder' | 'find' | 'onPulled'>,
  ): Downloads {
    const mirrors = (): readonly string[] =>
      this.#settings.get('MODEL_MIRRORS').filter((address) => address !== '')
    return new Downloads({
      fetch: createFetch(this.#settings, mirrors),
      mirrors,
      ...this.#patience,
      ...parts,
    })
  }

  #createCudaSupport(config: Config): CudaSupport {
    const registries = (): string[] => {
      const address = this.#settings.get('CUDA_PACKAGE_REGISTRY')
      return address === '' ? [] : [address]
    }
    const fetch = createFetch(this.#settings, registries)
    return new CudaSupport({
      folder: path.join(config.dataDir, 'engine-cuda'),
      packages: listCudaPackages(),
      hasCard: () => hasNvidiaCard(config),
      fetch,
      registries,
      openDownloads: (parts) =>
        new Downloads({ fetch, mirrors: registries, ...this.#patience, ...parts }),
      restartEngine: () => this.host.restart(),
      isUsed: () => this.host.usesCuda,
    })
  }

  /** Reports whether an administrator has enabled it. */
  isOn(): boolean {
    return this.#settings.get('ENABLE_BUILT_IN_RUNTIME')
  }

  /** Registers a listener that is called when the list of models may have changed. */
  onChange(listener: () => void): void {
    this.library.onChange(listener)
  }

  /** Returns the target that its connection calls instead of a server. */
  openTarget(): OutgoingTarget {
    return new EngineTarget({
      host: this.host,
      library: this.library,
      version: this.#version,
      blobs: this.#blobs,
      pull: (name, signal) => this.downloads.pull(name, signal),
      requireOn: () => {
        if (!this.isOn()) throw unavailable('The built-in runtime is switched off.')
      },
    })
  }

  async close(): Promise<void> {
    this.host.close()
    await this.downloads.close()
    await this.#cuda.downloads.close()
  }
}
