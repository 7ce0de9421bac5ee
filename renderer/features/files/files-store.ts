import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ServerFrame } from '#contract/events.ts'
import type { File as StoredFile, FileNews, FileUsage, ListFilesQuery } from '#contract/files.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { toFileStatus } from '../../api/file-uploads.ts'

/** What the list is narrowed to and ordered by. */
export interface FilesFilter {
  readonly query: string
  readonly status: NonNullable<ListFilesQuery['status']>
  readonly kind: NonNullable<ListFilesQuery['kind']>
  readonly order: 'created_at' | 'filename' | 'size'
}

export interface FilesState {
  readonly files: readonly StoredFile[]
  readonly total: number
  readonly filter: FilesFilter
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  readonly usage: FileUsage | null
  /**
   * What was last heard of the files being read, by their ids; of a small one perhaps before it is
   * in the list.
   */
  readonly heard: Readonly<Record<string, FileNews>>
}

export type FilesStore = StoreApi<FilesState>

export const NO_FILTER: FilesFilter = Object.freeze({
  query: '',
  status: '',
  kind: '',
  order: 'created_at',
})

export const createFilesStore = (): FilesStore =>
  createStore<FilesState>(() => ({
    files: [],
    total: 0,
    filter: NO_FILTER,
    status: 'loading',
    problem: null,
    usage: null,
    heard: {},
  }))

/** The gateway's own page size. */
const FILES_PER_PAGE = 50

const aborts = new WeakMap<FilesStore, AbortController>()
/**
 * How many files arrived or were read to their end by now; a list that was asked for before does
 * not know of it.
 */
const arrivals = new WeakMap<FilesStore, number>()
const noteArrival = (store: FilesStore): void =>
  void arrivals.set(store, (arrivals.get(store) ?? 0) + 1)

/** Names are listed from A on, sizes and times from the largest on. */
const directionOf = (order: FilesFilter['order']): 'asc' | 'desc' =>
  order === 'filename' ? 'asc' : 'desc'

const withFiles = (
  known: readonly StoredFile[],
  items: readonly StoredFile[],
): readonly StoredFile[] => [
  ...known,
  ...items.filter(({ id }) => !known.some((file) => file.id === id)),
]

async function readPage(store: FilesStore, userId: string, page: number): Promise<void> {
  aborts.get(store)?.abort()
  const abort = new AbortController()
  aborts.set(store, abort)
  const before = arrivals.get(store)
  const { query, status, kind, order } = store.getState().filter
  const asked = {
    query: query.trim() || undefined,
    status,
    kind,
    order_by: order,
    direction: directionOf(order),
    page,
    content: false,
    user_id: userId,
  }
  try {
    const { items, total } = await call(
      endpoints.files.list,
      { query: asked },
      { signal: abort.signal },
    )
    if (arrivals.get(store) !== before) return readPage(store, userId, page)
    store.setState(({ files }) => ({
      files: page === 1 ? items : withFiles(files, items),
      total,
      status: 'ready',
      problem: null,
    }))
  } catch (thrown) {
    if (!isAborted(thrown)) store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

/** Fetches the files of a person from the first page on. */
export async function loadFiles(
  store: FilesStore,
  userId: string,
  filter: FilesFilter,
): Promise<void> {
  store.setState({ filter })
  await Promise.all([readPage(store, userId, 1), loadUsage(store)])
}

/**
 * Reads on behind the files that are listed: those of the next page moved up by as many as were
 * deleted here.
 */
export const loadMoreFiles = (store: FilesStore, userId: string): Promise<void> =>
  readPage(store, userId, Math.floor(store.getState().files.length / FILES_PER_PAGE) + 1)

/** What the files take; a failure leaves the old figures. */
async function loadUsage(store: FilesStore): Promise<void> {
  try {
    store.setState({ usage: await call(endpoints.files.usage, {}) })
  } catch {
    // The list says what is wrong.
  }
}

const putFile = (store: FilesStore, file: StoredFile): void =>
  store.setState(({ files }) => ({
    files: files.map((each) => (each.id === file.id ? file : each)),
  }))

/** A file that was deleted meanwhile leaves the list with the next page. */
const withStatus = (file: StoredFile, event: FileNews | undefined): StoredFile =>
  event && event.status !== 'not_found'
    ? { ...file, data: { ...file.data, status: event.status, error: event.error ?? undefined } }
    : file

/** A file that just arrived comes first. */
export function addFile(store: FilesStore, file: StoredFile): void {
  noteArrival(store)
  store.setState(({ files, total, heard }) => ({
    files: [withStatus(file, heard[file.id]), ...files.filter(({ id }) => id !== file.id)],
    total: total + 1,
  }))
}

export async function renameFile(store: FilesStore, id: string, filename: string): Promise<void> {
  putFile(
    store,
    await call(endpoints.files.rename, { params: { file_id: id }, body: { filename } }),
  )
}

export async function readAgain(store: FilesStore, id: string): Promise<void> {
  putFile(store, await call(endpoints.files.process, { params: { file_id: id } }))
}

export async function removeFile(store: FilesStore, id: string): Promise<void> {
  await call(endpoints.files.remove, { params: { file_id: id } })
  store.setState(({ files, total }) => ({
    files: files.filter((file) => file.id !== id),
    total: total - 1,
  }))
  void loadUsage(store)
}

/** Follows what the gateway says of the files it reads. */
export function followFiles(store: FilesStore, frame: ServerFrame): void {
  const event = toFileStatus(frame)
  if (!event) return
  if (event.status !== 'pending') noteArrival(store)
  store.setState(({ files, heard }) => ({
    heard: { ...heard, [event.id]: event },
    files: files.map((file) => (file.id === event.id ? withStatus(file, event) : file)),
  }))
}
