import type { ServerFrame } from '#contract/events.ts'
import type { File as StoredFile, FileNews, FileUsage, ListFilesQuery } from '#contract/files.ts'
import { call, endpoints } from '../../api/client.ts'
import { toFileStatus } from '../../api/file-uploads.ts'
import { ListStore } from '../../api/list-store.ts'

/** Filter and order of the list. */
export interface FilesFilter {
  readonly query: string
  readonly status: NonNullable<ListFilesQuery['status']>
  readonly kind: NonNullable<ListFilesQuery['kind']>
  readonly order: 'created_at' | 'filename' | 'size'
}

interface FilesExtra {
  /** Id of the files' owner. */
  readonly userId: string
  readonly filter: FilesFilter
  readonly usage: FileUsage | null
  /**
   * Latest status of files being processed, by id; for a small file possibly before it is in the
   * list.
   */
  readonly heard: Readonly<Record<string, FileNews>>
}

export type FilesStore = ListStore<StoredFile, FilesExtra>

export const NO_FILTER: FilesFilter = Object.freeze({
  query: '',
  status: '',
  kind: '',
  order: 'created_at',
})

/** Page size of the gateway. */
const FILES_PER_PAGE = 50

/** Names are sorted ascending, sizes and times descending. */
const directionOf = (order: FilesFilter['order']): 'asc' | 'desc' =>
  order === 'filename' ? 'asc' : 'desc'

/** Creates the paginated store of a user's files. */
export const createFilesStore = (): FilesStore =>
  new ListStore<StoredFile, FilesExtra>({
    read: ({ state: { filter, userId }, page, signal }) => {
      const { query, status, kind, order } = filter
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
      return call(endpoints.files.list, { query: asked }, { signal })
    },
    extra: { userId: '', filter: NO_FILTER, usage: null, heard: {} },
    keyOf: ({ id }) => id,
    pageSize: FILES_PER_PAGE,
  })

/** Loads the files of a user from the first page. */
export async function loadFiles(
  store: FilesStore,
  userId: string,
  filter: FilesFilter,
): Promise<void> {
  await Promise.all([store.load({ userId, filter }), loadUsage(store)])
}

/** Loads the storage usage; on failure the previous values are kept. */
async function loadUsage(store: FilesStore): Promise<void> {
  try {
    store.setState({ usage: await call(endpoints.files.usage, {}) })
  } catch {
    // The list reports the error.
  }
}

/** A file deleted meanwhile disappears from the list when it is next loaded. */
const withStatus = (file: StoredFile, event: FileNews | undefined): StoredFile =>
  event && event.status !== 'not_found'
    ? { ...file, data: { ...file.data, status: event.status, error: event.error ?? undefined } }
    : file

/** Inserts a newly uploaded file at the beginning. */
export function addFile(store: FilesStore, file: StoredFile): void {
  const { items, total, heard } = store.getState()
  store.noteChange()
  store.setState({
    items: [withStatus(file, heard[file.id]), ...items.filter(({ id }) => id !== file.id)],
    total: total + 1,
  })
  // Its status may have been sent while this window was still connecting.
  if (file.data.status === 'pending' && !heard[file.id]) void askFor(store, [file])
}

/** A file removed from the list meanwhile is not added again. */
function putFile(store: FilesStore, file: StoredFile): void {
  if (store.getState().items.some(({ id }) => id === file.id)) store.put(file)
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
  store.drop(id)
  void loadUsage(store)
}

/**
 * Requests the status of files being processed, after events may have been missed. A response that
 * it is pending may be older than the last event, and changes nothing.
 */
async function askFor(store: FilesStore, files: readonly StoredFile[]): Promise<void> {
  await Promise.allSettled(
    files.map(async (file) => {
      const { data } = await call(endpoints.files.get, { params: { file_id: file.id } })
      const { status, error } = data
      if (status !== 'pending') putFile(store, { ...file, data: { ...file.data, status, error } })
    }),
  )
}

/** Applies the gateway's status events of files. */
export function followFiles(store: FilesStore, frame: ServerFrame): void {
  if (frame.type === 'ready')
    void askFor(
      store,
      store.getState().items.filter(({ data }) => data.status === 'pending'),
    )
  const event = toFileStatus(frame)
  if (!event) return
  const { items, heard } = store.getState()
  if (event.status !== 'pending') store.noteChange()
  store.setState({
    heard: { ...heard, [event.id]: event },
    items: items.map((file) => (file.id === event.id ? withStatus(file, event) : file)),
  })
}
