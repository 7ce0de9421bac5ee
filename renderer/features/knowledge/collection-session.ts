import { createFileUploads } from '../../api/file-uploads.ts'
import { socket } from '../../api/socket.ts'
import {
  type CollectionStore,
  createCollectionStore,
  directoriesOf,
  followCollection,
  loadCollection,
  putCollection,
  putDirectory,
} from './collection-store.ts'
import { type CollectionUploads, createCollectionUploads } from './collection-uploads.ts'

/**
 * A collection opened in this window. It outlives its page, so that uploads continue while the user
 * is elsewhere.
 */
export interface CollectionSession {
  readonly id: string
  readonly store: CollectionStore
  readonly into: CollectionUploads
}

const sessions = new Map<string, CollectionSession>()

function startSession(id: string): CollectionSession {
  const store = createCollectionStore()
  const uploads = createFileUploads()
  const into = createCollectionUploads({
    knowledgeId: id,
    uploads,
    onChanged: (collection) => putCollection(store, collection),
    onDirectory: (directory) => putDirectory(store, directory),
    directories: () => directoriesOf(store.getState()),
  })
  socket.onFrame((frame) => {
    uploads.handleFrame(frame)
    followCollection(store, frame)
  })
  socket.onReconnected(() => {
    uploads.refresh()
    void loadCollection(store, id)
  })
  return { id, store, into }
}

/** Returns the session of a collection, started on first use. */
export function openCollectionSession(id: string): CollectionSession {
  const session = sessions.get(id) ?? startSession(id)
  sessions.set(id, session)
  return session
}
