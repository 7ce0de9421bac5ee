import { createStore, type StoreApi } from 'zustand/vanilla'
import type { KnowledgeDirectory, KnowledgeRecord } from '#contract/knowledge.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import type { FileUploads } from '../../api/file-uploads.ts'
import { eachLimited } from '../../lib/each-limited.ts'
import type { FoundFile } from '../../lib/found-files.ts'

/** Uploads to one collection. */
export interface CollectionUploads {
  readonly uploads: FileUploads
  readonly store: StoreApi<UploadsState>
  /** Queues files below a directory; their parent folders become directories. */
  add(files: readonly FoundFile[], directoryId: string | null): Promise<void>
  /** Aborts all unfinished uploads. */
  cancelAll(): void
}

export interface UploadsState {
  /** Number of files added to the collection since the queue was last empty. */
  readonly added: number
  /** Files that were not added to the collection, with the reason. */
  readonly refused: readonly { readonly name: string; readonly problem: string }[]
}

interface Dependencies {
  readonly knowledgeId: string
  readonly uploads: FileUploads
  /** Receives the collection after every added file. */
  readonly onChanged: (collection: KnowledgeRecord) => void
  /** Receives every directory created for files. */
  readonly onDirectory: (directory: KnowledgeDirectory) => void
  /** Returns the currently known directories. */
  readonly directories: () => readonly KnowledgeDirectory[]
}

const BATCH = 200

const keyOf = (name: string, parentId: string | null): string => `${parentId ?? ''}/${name}`

const IDLE: UploadsState = Object.freeze({ added: 0, refused: [] })

interface Ready {
  readonly key: string
  readonly name: string
  readonly fileId: string
}

class UploadsIntoCollection implements CollectionUploads {
  readonly uploads: FileUploads
  readonly store = createStore<UploadsState>(() => IDLE)
  readonly #given: Dependencies
  readonly #places = new Map<string, string | null>()
  /** Directories by parent and name. */
  readonly #directories = new Map<string, string>()
  /** Directories being created, shared by concurrent additions. */
  readonly #making = new Map<string, Promise<string>>()
  #isAdding = false

  constructor(given: Dependencies) {
    this.#given = given
    this.uploads = given.uploads
    this.uploads.store.subscribe(() => void this.#putIn())
  }

  async add(files: readonly FoundFile[], directoryId: string | null): Promise<void> {
    if (this.uploads.store.getState().uploads.length === 0) this.store.setState({ ...IDLE })
    this.#learnDirectories()
    const places: (string | null)[] = []
    for (const { folders } of files) places.push(await this.#place(folders, directoryId))
    const keys = this.uploads.add(files.map(({ file }) => file))
    for (const [index, key] of keys.entries()) this.#places.set(key, places[index] ?? null)
  }

  cancelAll(): void {
    for (const { key, state } of this.uploads.store.getState().uploads) {
      if (state !== 'ready') this.uploads.cancel(key)
    }
  }

  #learnDirectories(): void {
    this.#directories.clear()
    for (const { id, name, parent_id } of this.#given.directories())
      this.#directories.set(keyOf(name, parent_id), id)
  }

  async #place(folders: readonly string[], directoryId: string | null): Promise<string | null> {
    let parent = directoryId
    for (const name of folders) {
      const key = keyOf(name, parent)
      parent =
        this.#directories.get(key) ?? (await (this.#making.get(key) ?? this.#make(name, parent)))
    }
    return parent
  }

  #make(name: string, parentId: string | null): Promise<string> {
    const key = keyOf(name, parentId)
    const make = async (): Promise<string> => {
      try {
        const params = { knowledge_id: this.#given.knowledgeId }
        const made = await call(endpoints.knowledge.createDirectory, {
          params,
          body: { name, parent_id: parentId },
        })
        this.#directories.set(key, made.id)
        this.#given.onDirectory(made)
        return made.id
      } finally {
        this.#making.delete(key)
      }
    }
    const making = make()
    this.#making.set(key, making)
    return making
  }

  /** Adds the uploaded and processed files to the collection, in batches. */
  async #putIn(): Promise<void> {
    if (this.#isAdding) return
    this.#isAdding = true
    try {
      for (let ready = this.#ready(); ready.length > 0; ready = this.#ready())
        await this.#putBatch(ready)
    } finally {
      this.#isAdding = false
    }
  }

  #ready(): readonly Ready[] {
    return this.uploads.store
      .getState()
      .uploads.flatMap(({ key, name, state, fileId }) =>
        state === 'ready' && fileId !== null ? [{ key, name, fileId }] : [],
      )
      .slice(0, BATCH)
  }

  async #putBatch(ready: readonly Ready[]): Promise<void> {
    const body = ready.map(({ key, fileId }) => ({
      file_id: fileId,
      directory_id: this.#places.get(key) ?? null,
    }))
    let problemOf: (ready: Ready) => string | undefined
    try {
      const reply = await call(endpoints.knowledge.addFiles, {
        params: { knowledge_id: this.#given.knowledgeId },
        body,
      })
      const problems = new Map(reply.warnings?.errors.map((text) => splitProblem(text)))
      problemOf = ({ fileId }) => problems.get(fileId)
      this.#given.onChanged(reply)
    } catch (thrown) {
      problemOf = () => toSentence(thrown)
    }
    const refused = ready.flatMap((each) => {
      const problem = problemOf(each)
      return problem === undefined ? [] : [{ ...each, problem }]
    })
    // They were uploaded only for this collection.
    await eachLimited(refused, ({ fileId }) =>
      call(endpoints.files.remove, { params: { file_id: fileId } }),
    )
    for (const { key } of ready) this.#places.delete(key)
    this.store.setState((state) => ({
      added: state.added + ready.length - refused.length,
      refused: [...state.refused, ...refused.map(({ name, problem }) => ({ name, problem }))],
    }))
    for (const { key } of ready) this.uploads.forget(key)
  }
}

const splitProblem = (text: string): readonly [string, string] => {
  const end = text.indexOf(': ')
  return [text.slice(0, end), text.slice(end + 2)]
}

export const createCollectionUploads = (given: Dependencies): CollectionUploads =>
  new UploadsIntoCollection(given)
