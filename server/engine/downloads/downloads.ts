import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ModelDownload } from '#contract/engine.ts'
import { z } from '#contract/lazy-zod.ts'
import { conflict, notFound } from '../../lib/errors.ts'
import type { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import { toServiceError } from '../../lib/serving/to-error.ts'
import { writeFileAtomically } from '../../lib/write-file-atomically.ts'
import { toModelName } from '../library/find-models.ts'
import { GgufFault } from '../library/read-gguf.ts'
import { findSource, type ModelSource, type SourceParts } from './find-source.ts'
import { SpeedMeter } from './speed-meter.ts'
import { fetchFile, hasHash, type TransferMark } from './transfer.ts'
import { parseOrNull } from '../../lib/json/parse-or-null.ts'

/** A file of a library, as far as the library describes it. */
export interface LibraryFile {
  readonly file?: string
  readonly bytes?: number
  readonly pulledNames?: readonly string[]
}

/** Destination of finished files. */
export interface DownloadLibrary {
  find(name: string): Promise<LibraryFile | null>
  /** Takes in a finished file; throws if it is not a model. */
  take(file: string, name: string): Promise<unknown>
}

export interface DownloadsDependencies {
  readonly library: DownloadLibrary
  readonly folder: string
  readonly fetch: GuardedFetch
  readonly mirrors: () => readonly string[]
  /**
   * Resolves a text to a source; by default, the text is a URL or a repository of language models.
   */
  readonly find?: (parts: SourceParts, text: string, signal: AbortSignal) => Promise<ModelSource>
  /** Called when a repository was pulled by its name, with the name of the model. */
  readonly onPulled?: (repository: string, model: string) => Promise<void>
  /** Shorter in tests. */
  readonly stallMilliseconds?: number
  readonly pauseMilliseconds?: number
  /** Smaller in tests. */
  readonly spareBytes?: number
}

interface Download {
  readonly id: string
  readonly source: ModelSource
  readonly mark: TransferMark
  readonly speed: SpeedMeter
  status: ModelDownload['status']
  completed: number
  error: string | null
  stop: AbortController | null
  work: Promise<void>
  /** Number of calls of `pull` that show its progress. */
  watchers: number
  /** True if it continues when no call shows its progress. */
  isLasting: boolean
}

const STALL_MILLISECONDS = 15_000
const PAUSE_MILLISECONDS = 500
/** Disk space left free for everything else. */
const SPARE_BYTES = 500_000_000

const storedSchema = z.object({
  id: z.string().regex(/^[\da-f-]{36}$/),
  source: z.object({
    addresses: z.array(z.string()).min(1),
    fileName: z.string().regex(/^\w[\w.-]{0,180}\.(gguf|bin|tgz)$/i),
    bytes: z.number().nullable(),
    sha256: z.string().nullable(),
    sha512: z.string().optional(),
  }),
  mark: z.object({ etag: z.string().nullable(), total: z.number().nullable() }),
})

/** Downloads of model files and of the engine's packages. Unfinished ones are kept on the disk and continue on request. */
export class Downloads {
  readonly #parts: DownloadsDependencies
  readonly #downloads = new Map<string, Download>()
  #restored: Promise<void> | null = null

  constructor(parts: DownloadsDependencies) {
    this.#parts = parts
  }

  async list(): Promise<ModelDownload[]> {
    await this.#restore()
    return [...this.#downloads.values()].map(describe)
  }

  /** Starts a download, or resumes that of the same file. */
  async start(text: string, signal: AbortSignal): Promise<ModelDownload> {
    const download = await this.#begin(text, signal)
    download.isLasting = true
    return describe(download)
  }

  async has(id: string): Promise<boolean> {
    await this.#restore()
    return this.#downloads.has(id)
  }

  async pause(id: string): Promise<void> {
    const download = await this.#get(id)
    download.stop?.abort()
    await download.work
  }

  async resume(id: string): Promise<void> {
    const download = await this.#get(id)
    download.isLasting = true
    this.#run(download)
  }

  /** Cancels a download and deletes its partial file. */
  async cancel(id: string): Promise<void> {
    await this.pause(id)
    await this.#forget(id)
    await rm(this.#fileOf(id), { force: true })
  }

  /**
   * Yields the status lines a runtime sends for a download. Aborting pauses it, unless it was
   * started elsewhere or another call shows its progress.
   */
  async *pull(text: string, signal: AbortSignal): AsyncGenerator<Record<string, unknown>> {
    yield { status: 'pulling manifest' }
    const source = await this.#find(text, signal)
    const known = await this.#parts.library.find(toModelName(source.fileName))
    if (known) {
      if (!(await isSameContent(known, text, source)))
        throw conflict(
          `A model named "${toModelName(source.fileName)}" already exists with other content: from another repository, or an older state of this one. Delete it, then pull again.`,
          { code: 'name_taken' },
        )
      // Without a length, it may still be another model of the same name.
      if (source.bytes !== null) await this.#notePulled(text, source)
      return void (yield { status: 'success' })
    }
    const download = await this.#open(source)
    download.watchers += 1
    try {
      while (download.status === 'running') {
        const { total } = download.mark
        const digest = source.sha256 ? `sha256:${source.sha256}` : source.fileName
        yield {
          status: `pulling ${source.sha256?.slice(0, 12) ?? source.fileName}`,
          digest,
          completed: download.completed,
          ...(total !== null && { total }),
        }
        await Promise.race([download.work, new Promise((resolve) => setTimeout(resolve, 250))])
        if (signal.aborted) return
      }
    } finally {
      download.watchers -= 1
      const isWanted = download.isLasting || download.watchers > 0
      if (download.status === 'running' && !isWanted) download.stop?.abort()
    }
    if (download.error !== null) throw conflict(download.error)
    await this.#notePulled(text, source)
    yield { status: 'verifying sha256 digest' }
    yield { status: 'success' }
  }

  async #notePulled(text: string, { fileName }: ModelSource): Promise<void> {
    if (!URL.canParse(text)) await this.#parts.onPulled?.(text, toModelName(fileName))
  }

  /** Pauses the running downloads, which can be resumed after the next start. */
  async close(): Promise<void> {
    for (const { stop } of this.#downloads.values()) stop?.abort()
    await Promise.all([...this.#downloads.values()].map(({ work }) => work))
  }

  async #begin(text: string, signal: AbortSignal): Promise<Download> {
    const source = await this.#find(text, signal)
    if (await this.#parts.library.find(toModelName(source.fileName)))
      throw conflict('This model already exists.')
    return this.#open(source)
  }

  #find(text: string, signal: AbortSignal): Promise<ModelSource> {
    const { fetch, mirrors, find = findSource } = this.#parts
    return find({ fetch, mirrors: mirrors() }, text, signal)
  }

  async #open(source: ModelSource): Promise<Download> {
    await this.#restore()
    const known = [...this.#downloads.values()].find(
      (each) => each.source.fileName === source.fileName,
    )
    if (known && !isSameFile(known.source, source))
      throw conflict(
        `Another model is being downloaded under the name "${source.fileName}". Wait until that is done, or cancel it.`,
        { code: 'name_taken' },
      )
    const download = known ?? createDownload(randomUUID(), source)
    this.#downloads.set(download.id, download)
    this.#run(download)
    return download
  }

  async #get(id: string): Promise<Download> {
    await this.#restore()
    const download = this.#downloads.get(id)
    if (!download) throw notFound('There is no such download.')
    return download
  }

  #run(download: Download): void {
    if (download.status === 'running') return
    download.status = 'running'
    download.error = null
    download.stop = new AbortController()
    download.work = this.#transfer(download, download.stop.signal).catch((error: unknown) => {
      download.status = 'failed'
      download.error = error instanceof GgufFault ? error.message : toServiceError(error).message
    })
  }

  async #transfer(download: Download, signal: AbortSignal): Promise<void> {
    const { folder, fetch, library, stallMilliseconds, pauseMilliseconds, spareBytes } = this.#parts
    const { id, source, mark, speed } = download
    await mkdir(folder, { recursive: true })
    await this.#keep(download)
    const file = this.#fileOf(id)
    await fetchFile({
      source,
      file,
      mark,
      fetch,
      signal,
      stallMilliseconds: stallMilliseconds ?? STALL_MILLISECONDS,
      pauseMilliseconds: pauseMilliseconds ?? PAUSE_MILLISECONDS,
      spareBytes: spareBytes ?? SPARE_BYTES,
      onMark: () => void this.#keep(download),
      onProgress(completed) {
        download.completed = completed
        speed.note(completed)
      },
    })
    if (signal.aborted) return void (download.status = 'paused')
    await library.take(file, source.fileName).catch(async (error: unknown) => {
      // A file that only could not be moved is complete, and is taken in by the next attempt.
      if (!isSystemError(error)) await rm(file, { force: true })
      throw error
    })
    download.status = 'done'
    await this.#forget(id)
  }

  #fileOf(id: string): string {
    return path.join(this.#parts.folder, `${id}.part`)
  }

  #noteOf(id: string): string {
    return path.join(this.#parts.folder, `${id}.json`)
  }

  async #keep({ id, source, mark }: Download): Promise<void> {
    writeFileAtomically(this.#noteOf(id), JSON.stringify({ id, source, mark }))
  }

  async #forget(id: string): Promise<void> {
    this.#downloads.delete(id)
    await rm(this.#noteOf(id), { force: true })
  }

  /** Loads the downloads an earlier process started; they stay paused until resumed. */
  #restore(): Promise<void> {
    return (this.#restored ??= this.#read())
  }

  async #read(): Promise<void> {
    const { folder } = this.#parts
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter((each) => each.endsWith('.json'))) {
      const text = await readFile(path.join(folder, name), 'utf8').catch(() => '')
      const stored = storedSchema.safeParse(parseOrNull(text)).data
      if (!stored || this.#downloads.has(stored.id)) continue
      const download = createDownload(stored.id, stored.source)
      Object.assign(download.mark, stored.mark)
      download.completed = await sizeOf(this.#fileOf(stored.id))
      this.#downloads.set(stored.id, download)
    }
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error

/** Compares lengths, and checksums unless the file was pulled by the same name before. */
async function isSameContent(
  { file, bytes, pulledNames = [] }: LibraryFile,
  text: string,
  source: ModelSource,
): Promise<boolean> {
  if (bytes !== undefined && source.bytes !== null && bytes !== source.bytes) return false
  if (source.sha256 === null || file === undefined) return true
  return pulledNames.includes(text.toLowerCase()) || hasHash(file, source)
}

/** Compares the contents if both are known, otherwise the addresses. */
const isSameFile = (one: ModelSource, other: ModelSource): boolean =>
  one.sha256 !== null && other.sha256 !== null
    ? one.sha256 === other.sha256
    : one.addresses.some((address) => other.addresses.includes(address))

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0
}

const createDownload = (id: string, source: ModelSource): Download => ({
  id,
  source,
  mark: { etag: null, total: source.bytes },
  speed: new SpeedMeter(),
  status: 'paused',
  completed: 0,
  error: null,
  stop: null,
  work: Promise.resolve(),
  watchers: 0,
  isLasting: false,
})

const describe = ({
  id,
  source,
  mark,
  speed,
  status,
  completed,
  error,
}: Download): ModelDownload => ({
  id,
  name: toModelName(source.fileName),
  address: source.addresses[0]!,
  status,
  completed,
  total: mark.total,
  bytes_per_second: status === 'running' ? speed.perSecond() : 0,
  error,
})
