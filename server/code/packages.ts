import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CODE_PACKAGES, type CodePackagesState } from '#contract/code.ts'
import { badRequest, conflict } from '../lib/errors.ts'
import type { Logger } from '../lib/logger.ts'
import type { OutgoingFetch } from '../lib/outgoing/outgoing-fetch.ts'

interface LockedPackage {
  readonly name: string
  readonly version: string
  readonly file_name: string
  readonly sha256: string
  readonly imports: readonly string[]
  readonly depends: readonly string[]
}

export interface PackagesOptions {
  /** Folder of the runtime, which lists every package with its hash. */
  readonly runtimeFolder: string
  /** Folder of fetched packages. */
  readonly folder: string
  readonly source: () => string
  readonly refusal: () => string | null
  readonly fetch: OutgoingFetch['fetch']
  readonly log: Logger
}

const LARGEST_FILE = 96 * 1024 * 1024
const FILE_MILLISECONDS = 10 * 60_000

interface Download {
  file: string
  done: number
  readonly total: number
  bytes: number
  readonly controller: AbortController
}

/**
 * Packages that code may import: the fetched ones, each identical to the file the runtime was built
 * with.
 */
export class Packages {
  readonly #options: PackagesOptions
  readonly folder: string
  #locked: ReadonlyMap<string, LockedPackage> | null = null
  #download: Download | null = null
  #error: string | null = null

  constructor(options: PackagesOptions) {
    this.#options = options
    this.folder = options.folder
  }

  /**
   * Returns the path of a package's file; null unless it belongs to the runtime and was fetched.
   */
  find(file: string): string | null {
    const isKnown = [...this.#lock().values()].some((each) => each.file_name === file)
    const place = path.join(this.folder, file)
    return isKnown && existsSync(place) ? place : null
  }

  /** Returns the names of the offered packages that can be imported. */
  installed(): string[] {
    return this.#offered().filter((name) => this.#isThere(name))
  }

  describe(): CodePackagesState {
    const packages = this.#offered().map((name) => {
      const locked = this.#lock().get(name)!
      const installed = this.#isThere(name)
      return {
        name,
        imports: [...locked.imports],
        version: locked.version,
        size: installed ? this.#sizeOf(name) : null,
        installed,
      }
    })
    const running = this.#download
    const download = running && {
      file: running.file,
      done: running.done,
      total: running.total,
      bytes: running.bytes,
    }
    return { packages, source: this.#options.source(), download, error: this.#error }
  }

  /** Starts fetching packages with all their dependencies. */
  begin(names: readonly string[] = this.#offered()): void {
    const refusal = this.#options.refusal()
    if (refusal !== null) throw badRequest(refusal, { code: 'packages_refused' })
    if (this.#options.source() === '')
      throw badRequest('No address packages are fetched from is set (CODE_PACKAGES_URL).')
    if (this.#download) throw conflict('Packages are being fetched already.')
    const unknown = names.find((name) => !this.#lock().has(name))
    if (unknown !== undefined)
      throw badRequest(`The runtime knows no package "${unknown.slice(0, 100)}".`, {
        code: 'unknown_package',
      })
    const wanted = [...this.#withNeeds(names)].map((name) => this.#lock().get(name)!)
    const missing = wanted.filter(
      ({ file_name: file }) => !existsSync(path.join(this.folder, file)),
    )
    this.#error = null
    this.#download = {
      file: '',
      done: 0,
      total: missing.length,
      bytes: 0,
      controller: new AbortController(),
    }
    void this.#fetchAll(missing, this.#download)
  }

  stop(): void {
    this.#download?.controller.abort()
  }

  removeAll(): void {
    this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #fetchAll(missing: readonly LockedPackage[], download: Download): Promise<void> {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 })
      for (const each of missing) {
        download.file = each.file_name
        await this.#fetchOne(each, download)
        download.done += 1
      }
    } catch (error) {
      const isStopped = download.controller.signal.aborted
      this.#error = isStopped
        ? 'The download was stopped.'
        : `${download.file}: ${error instanceof Error ? error.message : 'it failed'}`
      if (!isStopped)
        this.#options.log.warn(
          { error, file: download.file },
          'a Python package could not be downloaded',
        )
    } finally {
      this.#download = null
    }
  }

  async #fetchOne({ file_name: file, sha256 }: LockedPackage, download: Download): Promise<void> {
    const address = `${this.#options.source().replace(/\/*$/, '/')}${encodeURIComponent(file)}`
    const signal = AbortSignal.any([
      download.controller.signal,
      AbortSignal.timeout(FILE_MILLISECONDS),
    ])
    const reply = await this.#options.fetch(address, { signal })
    if (reply.status !== 200 || !reply.body) {
      await reply.body?.cancel()
      throw new Error(`the server answered with status ${reply.status}.`)
    }
    const hash = createHash('sha256')
    const pieces: Uint8Array[] = []
    let bytes = 0
    for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += piece.length
      if (bytes > LARGEST_FILE) throw new Error('it is larger than any package may be.')
      download.bytes += piece.length
      hash.update(piece)
      pieces.push(piece)
    }
    if (hash.digest('hex') !== sha256)
      throw new Error('it is not the file the runtime expects, and was thrown away.')
    const place = path.join(this.folder, file)
    await writeFile(`${place}.part`, pieces, { mode: 0o600 })
    await rename(`${place}.part`, place)
  }

  #lock(): ReadonlyMap<string, LockedPackage> {
    if (this.#locked) return this.#locked
    const text = readFileSync(path.join(this.#options.runtimeFolder, 'pyodide-lock.json'), 'utf8')
    const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> }
    return (this.#locked = new Map(Object.entries(packages)))
  }

  /** By the names the runtime has for what is imported. */
  #offered(): string[] {
    const entries = [...this.#lock()]
    return CODE_PACKAGES.flatMap(
      (name) => entries.find(([, { imports }]) => imports.includes(name))?.[0] ?? [],
    )
  }

  #withNeeds(names: Iterable<string>, found = new Set<string>()): Set<string> {
    for (const name of names) {
      if (found.has(name)) continue
      found.add(name)
      this.#withNeeds(this.#lock().get(name)?.depends ?? [], found)
    }
    return found
  }

  #filesOf(name: string): string[] {
    return [...this.#withNeeds([name])].map((each) =>
      path.join(this.folder, this.#lock().get(each)!.file_name),
    )
  }

  #isThere(name: string): boolean {
    return this.#filesOf(name).every((file) => existsSync(file))
  }

  #sizeOf(name: string): number {
    return this.#filesOf(name).reduce((sum, file) => sum + statSync(file).size, 0)
  }
}
