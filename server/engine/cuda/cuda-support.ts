import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { CudaOffer, CudaState } from '#contract/engine.ts'
import { badRequest, conflict } from '../../lib/errors.ts'
import type {
  DownloadLibrary,
  Downloads,
  DownloadsDependencies,
  LibraryFile,
} from '../downloads/downloads.ts'
import type { CudaPackage } from './cuda-packages.ts'
import { findPackage } from './find-package.ts'
import { unpackPackage } from './unpack-package.ts'

interface CudaDependencies {
  readonly folder: string
  readonly packages: readonly CudaPackage[]
  readonly hasCard: () => Promise<boolean>
  readonly fetch: DownloadsDependencies['fetch']
  readonly registries: () => readonly string[]
  readonly openDownloads: (
    parts: Pick<DownloadsDependencies, 'library' | 'folder' | 'find'>,
  ) => Downloads
  /** Ends the engine after its running answers, so that the next one starts with other files. */
  readonly restartEngine: () => void
  /** Whether the last engine that had the packages uses them; null before it opened its library. */
  readonly isUsed: () => boolean | null
}

const OFFER_MILLISECONDS = 15_000

const sum = (sizes: readonly (number | null)[]): number | null =>
  sizes.reduce((total, size) => (total === null || size === null ? null : total + size), 0)

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const found = await stat(path.join(parentPath, name)).catch(() => null)
      return found?.size ?? 0
    })
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
}

/** The engine's files for NVIDIA cards: downloaded on request, and unpacked in the data folder. */
export class CudaSupport implements DownloadLibrary {
  readonly downloads: Downloads
  readonly #parts: CudaDependencies
  readonly #folder: string

  constructor(parts: CudaDependencies) {
    this.#parts = parts
    this.#folder = path.join(parts.folder, 'packages')
    this.downloads = parts.openDownloads({
      library: this,
      folder: path.join(parts.folder, 'downloads'),
      find: async (source, fileName, signal) =>
        findPackage(source, this.#packageOf(fileName), signal),
    })
  }

  /** Returns the entry files of the packages by their names; empty unless all are installed. */
  entries(): Readonly<Record<string, string>> {
    if (!this.#isInstalled()) return {}
    return Object.fromEntries(
      this.#parts.packages.map((each) => [
        each.name,
        path.join(this.#folderOf(each), 'dist', 'index.js'),
      ]),
    )
  }

  /** Describes the support; null where it is of no use. */
  async describe(): Promise<CudaState | null> {
    const { packages, hasCard, isUsed } = this.#parts
    if (packages.length === 0) return null
    const downloads = await this.downloads.list()
    const bytes = await sizeOf(this.#folder)
    if (bytes === 0 && downloads.length === 0 && !(await hasCard())) return null
    const isInstalled = this.#isInstalled()
    return {
      installed: isInstalled,
      disk_bytes: bytes,
      downloads,
      is_used: isInstalled ? isUsed() : null,
    }
  }

  /** Asks the registry for the sizes of what is missing. */
  async offer(signal: AbortSignal): Promise<CudaOffer> {
    const { fetch, registries } = this.#parts
    const source = { fetch, mirrors: registries() }
    const found = await Promise.all(
      (await this.#missing()).map((each) => findPackage(source, each, signal)),
    )
    const lengths = found.map(({ addresses }) => this.#lengthOf(addresses[0]!, signal))
    return {
      download_bytes: sum(await Promise.all(lengths)),
      installed_bytes: sum(found.map(({ unpackedBytes }) => unpackedBytes)),
    }
  }

  /** Starts or resumes the downloads of what is missing. */
  async download(signal: AbortSignal): Promise<void> {
    for (const { fileName } of await this.#missing()) await this.downloads.start(fileName, signal)
  }

  /** Deletes the packages and cancels their downloads. */
  async remove(): Promise<void> {
    for (const { id } of await this.downloads.list()) await this.downloads.cancel(id)
    const isThere = existsSync(this.#folder)
    if (!isThere) return
    this.#parts.restartEngine()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 }).catch(
      (error: unknown) => {
        throw conflict('An answer still uses the files. Try again when it has ended.', {
          cause: error,
        })
      },
    )
  }

  async find(name: string): Promise<LibraryFile | null> {
    const known = this.#parts.packages.find(({ fileName }) => fileName === name)
    return known && existsSync(this.#folderOf(known)) ? {} : null
  }

  async take(file: string, name: string): Promise<void> {
    const wanted = this.#packageOf(name)
    await mkdir(this.#folder, { recursive: true })
    await unpackPackage(file, this.#folderOf(wanted), wanted)
    await rm(file, { force: true })
    if (!this.#isInstalled()) return
    await this.#removeOthers()
    this.#parts.restartEngine()
  }

  /** Deletes packages of earlier versions. */
  async #removeOthers(): Promise<void> {
    const kept = new Set(this.#parts.packages.map((each) => path.basename(this.#folderOf(each))))
    for (const name of await readdir(this.#folder))
      if (!kept.has(name)) await rm(path.join(this.#folder, name), { recursive: true, force: true })
  }

  #packageOf(fileName: string): CudaPackage {
    const found = this.#parts.packages.find((each) => each.fileName === fileName)
    if (!found)
      throw badRequest(
        'This package belongs to another version of the gateway. Cancel the download and start it again.',
      )
    return found
  }

  async #missing(): Promise<CudaPackage[]> {
    const { packages, hasCard } = this.#parts
    if (packages.length === 0 || !(await hasCard()))
      throw conflict('There is no NVIDIA card with its driver on the gateway’s computer.', {
        code: 'no_nvidia_card',
      })
    const missing = packages.filter((each) => !existsSync(this.#folderOf(each)))
    if (missing.length === 0) throw conflict('The files for NVIDIA cards are there already.')
    return missing
  }

  async #lengthOf(address: string, signal: AbortSignal): Promise<number | null> {
    const part = { from: 0, etag: null, stallMilliseconds: OFFER_MILLISECONDS }
    const reply = await this.#parts.fetch.open(address, part, signal)
    await reply.close()
    const length = Number(reply.headers['content-length'] ?? Number.NaN)
    return reply.status === 200 && Number.isSafeInteger(length) ? length : null
  }

  #isInstalled(): boolean {
    const { packages } = this.#parts
    return packages.length > 0 && packages.every((each) => existsSync(this.#folderOf(each)))
  }

  #folderOf({ fileName }: CudaPackage): string {
    return path.join(this.#folder, fileName.replace(/\.tgz$/, ''))
  }
}
