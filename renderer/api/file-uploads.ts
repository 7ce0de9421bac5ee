import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ServerFrame } from '#contract/events.ts'
import type { File as StoredFile, FileProgress, FileNews } from '#contract/files.ts'
import { isAborted, toSentence } from './api-error.ts'
import { call, endpoints } from './client.ts'
import { upload } from './upload.ts'
import { askLimits, refusalOf, type UploadLimits } from './upload-limits.ts'
import { newId } from '../lib/new-id.ts'

/**
 * State of one file being uploaded: queued, sent, parsed and embedded by the gateway, then usable.
 */
export interface Upload {
  /** Local to this window; the gateway assigns its own id once the file has arrived. */
  readonly key: string
  readonly name: string
  readonly size: number
  readonly type: string
  readonly state: 'waiting' | 'sending' | 'reading' | 'ready' | 'failed'
  /** Fraction sent, from 0 to 1. */
  readonly sent: number
  readonly progress: FileProgress | null
  readonly fileId: string | null
  /** Reason for the failure; null otherwise. */
  readonly problem: string | null
}

export interface FileUploads {
  readonly store: StoreApi<{ uploads: readonly Upload[] }>
  /** Queues files and returns their keys. */
  add(files: readonly File[]): readonly string[]
  /**
   * Aborts the upload, or deletes the file if it has already arrived, and removes it from the list.
   */
  cancel(key: string): void
  /** Retries the failed upload or processing of a file. */
  retry(key: string): void
  /** Removes a file from the list without deleting what is stored. */
  forget(key: string): void
  /** Processes the gateway's status events of files. */
  handleFrame(frame: ServerFrame): void
  /** Requests the state of every file being processed, after messages may have been missed. */
  refresh(): void
}

const AT_ONCE = 3
/**
 * Maximum number of events kept for files whose ids are not known yet; the event of a small file
 * can arrive before the response to its upload.
 */
const MOST_EARLY = 200

interface Work {
  readonly file: File
  abort: AbortController | null
}

/** Returns the file status in a frame; null for other frames. */
export const toFileStatus = (frame: ServerFrame): FileNews | null =>
  frame.type === 'events' && frame.data.type === 'file:status' ? frame.data.data : null

const toState = (status: FileNews['status'] | undefined): Upload['state'] =>
  status === 'pending' ? 'reading' : status === 'failed' ? 'failed' : 'ready'

type OnStored = (key: string, file: StoredFile) => void
/**
 * Returns the reason a queue rejects another file, as an error message; null when it accepts the
 * file.
 */
type Refuse = (limits: UploadLimits, key: string) => string | null

class UploadQueue implements FileUploads {
  readonly store = createStore<{ uploads: readonly Upload[] }>(() => ({ uploads: [] }))
  readonly #works = new Map<string, Work>()
  readonly #early = new Map<string, FileNews>()
  readonly #onStored: OnStored | undefined
  readonly #refuse: Refuse | undefined

  constructor(onStored: OnStored | undefined, refuse: Refuse | undefined) {
    this.#onStored = onStored
    this.#refuse = refuse
  }

  add(files: readonly File[]): readonly string[] {
    const uploads = files.map((file): Upload => {
      const key = newId()
      this.#works.set(key, { file, abort: null })
      const { name, size, type } = file
      return {
        key,
        name,
        size,
        type,
        state: 'waiting',
        sent: 0,
        progress: null,
        fileId: null,
        problem: null,
      }
    })
    this.store.setState((state) => ({ uploads: [...state.uploads, ...uploads] }))
    this.#startNext()
    return uploads.map(({ key }) => key)
  }

  cancel(key: string): void {
    const fileId = this.#find(key)?.fileId
    this.#works.get(key)?.abort?.abort()
    this.forget(key)
    if (fileId)
      void call(endpoints.files.remove, { params: { file_id: fileId } }).catch(() => undefined)
    this.#startNext()
  }

  retry(key: string): void {
    const known = this.#find(key)
    if (known?.state !== 'failed') return
    if (known.fileId !== null) return void this.#readAgain(key, known.fileId)
    this.#patch(key, { state: 'waiting', problem: null })
    this.#startNext()
  }

  forget(key: string): void {
    this.#works.delete(key)
    this.store.setState(({ uploads }) => ({ uploads: uploads.filter((each) => each.key !== key) }))
  }

  handleFrame(frame: ServerFrame): void {
    const event = toFileStatus(frame)
    if (!event) return
    this.#early.delete(event.id)
    this.#early.set(event.id, event)
    if (this.#early.size > MOST_EARLY) this.#early.delete(this.#early.keys().next().value!)
    this.#apply(event)
  }

  refresh(): void {
    for (const { key, fileId, state } of this.store.getState().uploads) {
      if (fileId && state === 'reading') void this.#ask(key, fileId)
    }
  }

  #find(key: string): Upload | undefined {
    return this.store.getState().uploads.find((each) => each.key === key)
  }

  #change(matches: (upload: Upload) => boolean, patch: Partial<Upload>): void {
    this.store.setState(({ uploads }) => ({
      uploads: uploads.map((each) => (matches(each) ? { ...each, ...patch } : each)),
    }))
  }

  #patch(key: string, values: Partial<Upload>): void {
    this.#change((each) => each.key === key, values)
  }

  #apply({ id, status, error, progress }: FileNews): void {
    this.#change((each) => each.fileId === id && each.state !== 'sending', {
      state: toState(status),
      progress,
      problem: error,
    })
  }

  #startNext(): void {
    const { uploads } = this.store.getState()
    const free = AT_ONCE - uploads.filter(({ state }) => state === 'sending').length
    for (const { key } of uploads
      .filter(({ state }) => state === 'waiting')
      .slice(0, Math.max(0, free)))
      void this.#send(key)
  }

  async #send(key: string): Promise<void> {
    const work = this.#works.get(key)
    if (!work) return
    const abort = new AbortController()
    work.abort = abort
    this.#patch(key, { state: 'sending', sent: 0, problem: null })
    const form = new FormData()
    form.append('file', work.file)
    try {
      const refusal = await this.#findRefusal(key, work.file)
      if (abort.signal.aborted) return
      if (refusal !== null) return this.#patch(key, { state: 'failed', problem: refusal })
      const onProgress = (sent: number): void => this.#patch(key, { sent })
      this.#arrived(
        key,
        await upload(endpoints.files.upload, {}, form, { signal: abort.signal, onProgress }),
      )
    } catch (thrown) {
      if (!isAborted(thrown)) this.#patch(key, { state: 'failed', problem: toSentence(thrown) })
    } finally {
      work.abort = null
      this.#startNext()
    }
  }

  /** Checked before sending, so that a too large file is not rejected only after a long upload. */
  async #findRefusal(key: string, file: File): Promise<string | null> {
    const limits = await askLimits()
    return limits && (refusalOf(file, limits) ?? this.#refuse?.(limits, key) ?? null)
  }

  #arrived(key: string, file: StoredFile): void {
    this.#patch(key, {
      state: toState(file.data.status),
      fileId: file.id,
      sent: 1,
      problem: file.data.error ?? null,
    })
    this.#onStored?.(key, file)
    const event = this.#early.get(file.id)
    if (event) this.#apply(event)
    // Its status may have been sent while this window was still connecting.
    else if (file.data.status === 'pending') void this.#readStatus(file.id).catch(() => undefined)
  }

  async #readAgain(key: string, fileId: string): Promise<void> {
    this.#patch(key, { state: 'reading', problem: null, progress: null })
    try {
      const { data } = await call(endpoints.files.process, { params: { file_id: fileId } })
      this.#apply({
        id: fileId,
        status: data.status ?? 'completed',
        error: data.error ?? null,
        progress: null,
      })
    } catch (thrown) {
      this.#patch(key, { state: 'failed', problem: toSentence(thrown) })
    }
  }

  async #ask(key: string, fileId: string): Promise<void> {
    try {
      await this.#readStatus(fileId)
    } catch (thrown) {
      this.#patch(key, { state: 'failed', problem: toSentence(thrown) })
    }
  }

  async #readStatus(fileId: string): Promise<void> {
    const { data } = await call(endpoints.files.get, { params: { file_id: fileId } })
    // It may be older than the last event.
    if (data.status === 'pending') return
    this.#apply({
      id: fileId,
      status: data.status ?? 'completed',
      error: data.error ?? null,
      progress: null,
    })
  }
}

/**
 * Creates an empty queue; `onStored` is called for every file the gateway has stored, `refuse` may
 * reject a file before it is sent.
 */
export const createFileUploads = (onStored?: OnStored, refuse?: Refuse): FileUploads =>
  new UploadQueue(onStored, refuse)
