import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ServerFrame } from '#contract/events.ts'
import type { FileNews } from '#contract/files.ts'
import type { AccessGrant } from '#contract/access.ts'
import type { KnowledgeDirectory, KnowledgeFile, KnowledgeRecord } from '#contract/knowledge.ts'
import { ApiError, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { toFileStatus } from '../../api/file-uploads.ts'
import { type KnownSaved, saveKnown } from '../../ui/dialogs/changed-elsewhere.tsx'

export interface CollectionState {
  readonly collection: KnowledgeRecord | null
  readonly status: 'loading' | 'ready' | 'gone' | 'failed'
  readonly problem: string | null
  /** Id of the displayed directory; null is the top level. */
  readonly directoryId: string | null
  /** Latest status of files being processed. */
  readonly heard: Readonly<Record<string, FileNews>>
}

export type CollectionStore = StoreApi<CollectionState>

export const createCollectionStore = (): CollectionStore =>
  createStore<CollectionState>(() => ({
    collection: null,
    status: 'loading',
    problem: null,
    directoryId: null,
    heard: {},
  }))

/** Number of responses applied to each store, plus files whose processing ended. */
const replies = new WeakMap<CollectionStore, number>()
const noteReply = (store: CollectionStore): void =>
  void replies.set(store, (replies.get(store) ?? 0) + 1)

export async function loadCollection(store: CollectionStore, id: string): Promise<void> {
  const before = replies.get(store)
  try {
    const collection = await call(endpoints.knowledge.get, { params: { knowledge_id: id } })
    // Something changed meanwhile, possibly after this response was created.
    if (replies.get(store) !== before) return loadCollection(store, id)
    putCollection(store, collection)
  } catch (thrown) {
    const isGone = thrown instanceof ApiError && thrown.status === 404
    store.setState({ status: isGone ? 'gone' : 'failed', problem: toSentence(thrown) })
  }
}

/** Applies a collection returned by the gateway. */
export function putCollection(store: CollectionStore, collection: KnowledgeRecord): void {
  noteReply(store)
  const { directoryId } = store.getState()
  const isThere = collection.directories?.some(({ id }) => id === directoryId) === true
  store.setState({
    collection,
    status: 'ready',
    problem: null,
    directoryId: isThere ? directoryId : null,
  })
}

const idOf = (store: CollectionStore): string => store.getState().collection?.id ?? ''

export const showDirectory = (store: CollectionStore, directoryId: string | null): void =>
  store.setState({ directoryId })

const EMPTY: readonly never[] = Object.freeze([])
export const filesOf = ({ collection }: CollectionState): readonly KnowledgeFile[] =>
  collection?.files ?? EMPTY
export const directoriesOf = ({ collection }: CollectionState): readonly KnowledgeDirectory[] =>
  collection?.directories ?? EMPTY

/** Returns the directories from the top level down to a given one. */
export function pathTo(
  directories: readonly KnowledgeDirectory[],
  id: string | null,
): readonly KnowledgeDirectory[] {
  const path: KnowledgeDirectory[] = []
  for (let next = id; next !== null;) {
    const directory = directories.find((each) => each.id === next)
    if (!directory) break
    path.unshift(directory)
    next = directory.parent_id
  }
  return path
}

export type Details = Pick<KnowledgeRecord, 'name' | 'description'> & {
  readonly access_grants: AccessGrant[]
}

export const toDetails = ({ name, description, access_grants }: KnowledgeRecord): Details => ({
  name,
  description,
  access_grants,
})

/** Stores details typed over the ones of `known`. */
export async function updateDetails(
  store: CollectionStore,
  known: KnowledgeRecord,
  details: Details,
): Promise<KnownSaved<KnowledgeRecord>> {
  const params = { knowledge_id: known.id }
  const saved = await saveKnown<KnowledgeRecord>({
    known,
    save: (base) =>
      call(endpoints.knowledge.update, {
        params,
        body: { ...details, known_at: base?.updated_at },
      }),
    readNewest: () => call(endpoints.knowledge.get, { params }),
    toForm: toDetails,
    textOf: ({ description }) => description,
  })
  putCollection(store, saved.newest)
  return saved
}

/** Removes a file from the collection; its owner still has the file. */
export async function takeOut(store: CollectionStore, fileId: string): Promise<void> {
  const reply = await call(endpoints.knowledge.removeFile, {
    params: { knowledge_id: idOf(store) },
    query: { delete_file: false },
    body: { file_id: fileId },
  })
  putCollection(store, reply)
}

export async function putBack(
  store: CollectionStore,
  { id, directory_id }: KnowledgeFile,
): Promise<void> {
  const body = { file_id: id, directory_id }
  putCollection(
    store,
    await call(endpoints.knowledge.addFile, { params: { knowledge_id: idOf(store) }, body }),
  )
}

/** Retries processing a failed file. */
export async function readAgain(store: CollectionStore, fileId: string): Promise<void> {
  const { data } = await call(endpoints.files.process, { params: { file_id: fileId } })
  hear(store, {
    id: fileId,
    status: data.status ?? 'completed',
    error: data.error ?? null,
    progress: null,
  })
}

export async function moveFile(
  store: CollectionStore,
  fileId: string,
  directoryId: string | null,
): Promise<void> {
  const body = { file_id: fileId, directory_id: directoryId }
  const id = idOf(store)
  await call(endpoints.knowledge.moveFile, { params: { knowledge_id: id }, body })
  await loadCollection(store, id)
}

/** Inserts a directory, or updates the one with its id. */
export function putDirectory(store: CollectionStore, directory: KnowledgeDirectory): void {
  noteReply(store)
  store.setState(({ collection }) => ({
    collection: collection && {
      ...collection,
      directories: [
        ...(collection.directories ?? []).filter(({ id }) => id !== directory.id),
        directory,
      ],
    },
  }))
}

export async function createDirectory(
  store: CollectionStore,
  name: string,
  parentId: string | null,
): Promise<KnowledgeDirectory> {
  const body = { name, parent_id: parentId }
  const made = await call(endpoints.knowledge.createDirectory, {
    params: { knowledge_id: idOf(store) },
    body,
  })
  putDirectory(store, made)
  return made
}

export async function updateDirectory(
  store: CollectionStore,
  directoryId: string,
  body: { name?: string; parent_id?: string | null },
): Promise<void> {
  const params = { knowledge_id: idOf(store), directory_id: directoryId }
  putDirectory(store, await call(endpoints.knowledge.updateDirectory, { params, body }))
}

/** Deletes a directory; its contents move one level up. */
export async function removeDirectory(store: CollectionStore, directoryId: string): Promise<void> {
  const id = idOf(store)
  await call(endpoints.knowledge.removeDirectory, {
    params: { knowledge_id: id, directory_id: directoryId },
  })
  await loadCollection(store, id)
}

export async function resetCollection(store: CollectionStore): Promise<void> {
  putCollection(
    store,
    await call(endpoints.knowledge.reset, { params: { knowledge_id: idOf(store) } }),
  )
}

export async function reindexCollection(store: CollectionStore): Promise<void> {
  await call(endpoints.knowledge.reindex, { params: { knowledge_id: idOf(store) } })
}

function hear(store: CollectionStore, event: FileNews): void {
  if (event.status !== 'pending') noteReply(store)
  store.setState(({ collection, heard }) => ({
    heard: { ...heard, [event.id]: event },
    collection: collection && {
      ...collection,
      files:
        collection.files?.map((file) =>
          file.id === event.id
            ? {
                ...file,
                data: { status: event.status, ...(event.error !== null && { error: event.error }) },
              }
            : file,
        ) ?? null,
    },
  }))
}

/** Applies the gateway's status events of files being reprocessed. */
export function followCollection(store: CollectionStore, frame: ServerFrame): void {
  const event = toFileStatus(frame)
  if (event && filesOf(store.getState()).some(({ id }) => id === event.id)) hear(store, event)
}
