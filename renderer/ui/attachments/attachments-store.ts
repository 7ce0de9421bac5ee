import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ServerFrame } from '#contract/events.ts'
import type { File as StoredFile, FileNews } from '#contract/files.ts'
import { createFileUploads, type FileUploads, toFileStatus } from '../../api/file-uploads.ts'
import { toSentence } from '../../api/api-error.ts'
import { explainFault } from '../../lib/explain-fault.ts'
import { call, endpoints } from '../../api/client.ts'
import type { UploadLimits } from '../../api/upload-limits.ts'
import { translate } from '../../lib/i18n.ts'
import { announce } from '../layout/live-region.tsx'
import { type AttachedEntry, isAttachedEntry, toFileEntry } from './attached-entry.ts'

export interface AttachmentsState {
  readonly entries: readonly AttachedEntry[]
  /** Latest status of the attached files, by id. */
  readonly files: Readonly<Record<string, FileNews>>
}

const keyOf = (chatId: string | null): string => `attachments:${chatId ?? 'new'}`

function readKept(chatId: string | null): readonly AttachedEntry[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(chatId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isAttachedEntry) : []
  } catch {
    // Storage may be unavailable or contain data of another version.
    return []
  }
}

function keep(chatId: string | null, entries: readonly AttachedEntry[]): void {
  try {
    if (entries.length === 0) localStorage.removeItem(keyOf(chatId))
    else localStorage.setItem(keyOf(chatId), JSON.stringify(entries))
  } catch {
    // Without storage the attachments last until the page is closed.
  }
}

function withoutContext(entry: AttachedEntry): AttachedEntry {
  const { context: _context, ...rest } = entry
  return rest
}

function tellEnd(name: string, { status, error }: FileNews): void {
  if (status === 'completed') announce(translate('chat.attachments.isReady', { name }))
  if (status === 'failed')
    announce(
      translate('chat.attachments.hasFailed', {
        name,
        reason: explainFault({ detail: error ?? '' }),
      }),
    )
}

/** Returns an error message if a chat may not have another file; uploads in progress count. */
function refuseMore(
  store: Attachments['store'],
  uploads: FileUploads,
  { max_count: most }: UploadLimits,
  key: string,
): string | null {
  if (most === null) return null
  const attached = store
    .getState()
    .entries.filter(({ type }) => type === 'file' || type === 'image').length
  const sending = uploads.store
    .getState()
    .uploads.filter((each) => each.state === 'sending' && each.key !== key).length
  return attached + sending < most ? null : translate('chat.attachments.tooMany', { count: most })
}

function announceFailures(uploads: FileUploads): void {
  uploads.store.subscribe((state, before) => {
    for (const { key, name, problem, state: now } of state.uploads) {
      const was = before.uploads.find((each) => each.key === key)?.state
      if (now === 'failed' && was !== 'failed')
        announce(translate('chat.attachments.hasFailed', { name, reason: problem ?? '' }))
    }
  })
}

/**
 * Attachments of the message being written in one chat. They survive reloads, as the draft does.
 */
export class Attachments {
  readonly store: StoreApi<AttachmentsState>
  readonly uploads: FileUploads

  constructor(chatId: string | null) {
    this.store = createStore(() => ({ entries: readKept(chatId), files: {} }))
    this.store.subscribe(({ entries }, before) => {
      if (entries !== before.entries) keep(chatId, entries)
    })
    this.uploads = createFileUploads(
      (key, file) => this.#takeUploaded(key, file),
      (limits, key) => refuseMore(this.store, this.uploads, limits, key),
    )
    announceFailures(this.uploads)
  }

  add(entry: AttachedEntry): void {
    this.store.setState(({ entries }) => ({
      entries: [...entries.filter(({ id }) => id !== entry.id), entry],
    }))
  }

  remove(id: string): void {
    this.store.setState(({ entries }) => ({ entries: entries.filter((entry) => entry.id !== id) }))
  }

  setWhole(id: string, isWhole: boolean): void {
    const change = (entry: AttachedEntry): AttachedEntry =>
      isWhole ? { ...entry, context: 'full' } : withoutContext(entry)
    this.store.setState(({ entries }) => ({
      entries: entries.map((entry) => (entry.id === id ? change(entry) : entry)),
    }))
  }

  /** Returns the attachments and clears the list. */
  take(): readonly AttachedEntry[] {
    const state = this.store.getState()
    this.store.setState({ entries: [] })
    return state.entries.map((entry) => {
      const error = failureOf(state, entry)
      return error === null ? entry : { ...entry, error }
    })
  }

  /** Has a file that failed read once more. */
  async readAgain(id: string): Promise<void> {
    this.#hear({ id, status: 'pending', error: null, progress: null })
    try {
      const { data } = await call(endpoints.files.process, { params: { file_id: id } })
      const status = data.status ?? 'completed'
      // The end of the reading may have been heard before this answer.
      if (status !== 'pending')
        this.#hear({ id, status, error: data.error ?? null, progress: null })
    } catch (thrown) {
      this.#hear({ id, status: 'failed', error: toSentence(thrown), progress: null })
    }
  }

  handleFrame(frame: ServerFrame): void {
    const event = toFileStatus(frame)
    if (event) this.#hear(event)
  }

  /** Requests the status of the attached files, after messages may have been missed. */
  async refresh(): Promise<void> {
    const { entries, files } = this.store.getState()
    const unknown = entries.filter(
      ({ type, id }) => type === 'file' && files[id]?.status !== 'completed',
    )
    await Promise.all(unknown.map(({ id }) => this.#ask(id)))
  }

  #takeUploaded(key: string, file: StoredFile): void {
    this.add(toFileEntry(file))
    const { status = 'completed', error = null } = file.data
    if (!this.store.getState().files[file.id])
      this.#hear({ id: file.id, status, error, progress: null })
    this.uploads.forget(key)
  }

  #hear(event: FileNews): void {
    const { entries, files } = this.store.getState()
    const entry = entries.find(({ type, id }) => id === event.id && type === 'file')
    if (entry && files[event.id]?.status !== event.status) tellEnd(entry.name, event)
    this.store.setState({ files: { ...files, [event.id]: event } })
  }

  async #ask(id: string): Promise<void> {
    try {
      const { data } = await call(endpoints.files.get, { params: { file_id: id } })
      const status = data.status ?? 'completed'
      this.#hear({ id, status, error: data.error ?? null, progress: null })
    } catch {
      // The file was deleted meanwhile; sending reports that.
    }
  }
}

const opened = new Map<string, Attachments>()

/** Returns the attachments of a chat; the same object until the page is closed. */
export function attachmentsOf(chatId: string | null): Attachments {
  const key = keyOf(chatId)
  const known = opened.get(key) ?? new Attachments(chatId)
  opened.set(key, known)
  return known
}

/**
 * True while the gateway processes a file; it can already be sent, and the gateway waits for it.
 */
export const isBeingRead = ({ files }: AttachmentsState, { type, id }: AttachedEntry): boolean =>
  type === 'file' && files[id]?.status === 'pending'

/** Returns the reason a file cannot be used; null for anything else. */
export const failureOf = (
  { files }: AttachmentsState,
  { type, id }: AttachedEntry,
): string | null => {
  const event = type === 'file' ? files[id] : undefined
  return event?.status === 'failed' ? (event.error ?? '') : null
}
