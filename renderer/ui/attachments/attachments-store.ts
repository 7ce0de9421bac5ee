import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ServerFrame } from '#contract/events.ts'
import type { FileNews } from '#contract/files.ts'
import { createFileUploads, type FileUploads, toFileStatus } from '../../api/file-uploads.ts'
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

/**
 * Attachments of the message being written in one chat. They survive reloads, as the draft does.
 */
export interface Attachments {
  readonly store: StoreApi<AttachmentsState>
  readonly uploads: FileUploads
  add(entry: AttachedEntry): void
  remove(id: string): void
  setWhole(id: string, isWhole: boolean): void
  /** Returns the attachments and clears the list. */
  take(): readonly AttachedEntry[]
  handleFrame(frame: ServerFrame): void
  /** Requests the status of the attached files, after messages may have been missed. */
  refresh(): Promise<void>
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
    announce(translate('chat.attachments.hasFailed', { name, reason: error ?? '' }))
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

/** Creates the attachments of a chat from their stored state. */
export function createAttachments(chatId: string | null): Attachments {
  const store = createStore<AttachmentsState>(() => ({ entries: readKept(chatId), files: {} }))
  store.subscribe(({ entries }, before) => {
    if (entries !== before.entries) keep(chatId, entries)
  })
  const put = (entry: AttachedEntry): void =>
    store.setState(({ entries }) => ({
      entries: [...entries.filter(({ id }) => id !== entry.id), entry],
    }))
  const hear = (event: FileNews): void => {
    const { entries, files } = store.getState()
    const entry = entries.find(({ type, id }) => id === event.id && type === 'file')
    if (entry && files[event.id]?.status !== event.status) tellEnd(entry.name, event)
    store.setState({ files: { ...files, [event.id]: event } })
  }
  const uploads = createFileUploads(
    (key, file) => {
      put(toFileEntry(file))
      const { status = 'completed', error = null } = file.data
      if (!store.getState().files[file.id]) hear({ id: file.id, status, error, progress: null })
      uploads.forget(key)
    },
    (limits, key) => refuseMore(store, uploads, limits, key),
  )
  announceFailures(uploads)

  async function ask(id: string): Promise<void> {
    try {
      const { data } = await call(endpoints.files.get, { params: { file_id: id } })
      hear({ id, status: data.status ?? 'completed', error: data.error ?? null, progress: null })
    } catch {
      // The file was deleted meanwhile; sending reports that.
    }
  }

  return {
    store,
    uploads,
    add: put,
    remove: (id) =>
      store.setState(({ entries }) => ({ entries: entries.filter((entry) => entry.id !== id) })),
    setWhole: (id, isWhole) =>
      store.setState(({ entries }) => ({
        entries: entries.map((entry) =>
          entry.id === id
            ? isWhole
              ? { ...entry, context: 'full' }
              : withoutContext(entry)
            : entry,
        ),
      })),
    take() {
      const state = store.getState()
      store.setState({ entries: [] })
      return state.entries.map((entry) => {
        const error = failureOf(state, entry)
        return error === null ? entry : { ...entry, error }
      })
    },
    handleFrame(frame) {
      const event = toFileStatus(frame)
      if (event) hear(event)
    },
    async refresh() {
      const { entries, files } = store.getState()
      const unknown = entries.filter(
        ({ type, id }) => type === 'file' && files[id]?.status !== 'completed',
      )
      await Promise.all(unknown.map(({ id }) => ask(id)))
    },
  }
}

const opened = new Map<string, Attachments>()

/** Returns the attachments of a chat; the same object until the page is closed. */
export function attachmentsOf(chatId: string | null): Attachments {
  const key = keyOf(chatId)
  const known = opened.get(key) ?? createAttachments(chatId)
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
