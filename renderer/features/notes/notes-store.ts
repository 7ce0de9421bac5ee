import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AccessGrant } from '#contract/access.ts'
import type { Note, NoteUpdate } from '#contract/notes.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

export interface NotesState {
  readonly notes: readonly Note[]
  readonly total: number
  readonly query: string
  readonly page: number
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

export type NotesStore = StoreApi<NotesState>

export const createNotesStore = (): NotesStore =>
  createStore<NotesState>(() => ({
    notes: [],
    total: 0,
    query: '',
    page: 0,
    status: 'loading',
    problem: null,
  }))

const aborts = new WeakMap<NotesStore, AbortController>()

async function readPage(store: NotesStore, query: string, page: number): Promise<void> {
  aborts.get(store)?.abort()
  const abort = new AbortController()
  aborts.set(store, abort)
  try {
    const { items, total } = await call(
      endpoints.notes.search,
      {
        query: {
          query: query.trim() || undefined,
          page,
          order_by: 'updated_at',
          direction: 'desc',
        },
      },
      { signal: abort.signal },
    )
    if (abort.signal.aborted) return
    store.setState(({ notes }) => ({
      notes: page === 1 ? items : [...notes, ...items],
      total,
      page,
      status: 'ready',
      problem: null,
    }))
  } catch (thrown) {
    if (!isAborted(thrown)) store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

/** Fetches the notes that hold the words of a query, from the first page on. */
export async function loadNotes(store: NotesStore, query: string): Promise<void> {
  store.setState({ query })
  await readPage(store, query, 1)
}

/**
 * Gives up what is being read for the list: it would take the place of a note that was opened
 * meanwhile.
 */
export const stopLoadingNotes = (store: NotesStore): void => aborts.get(store)?.abort()

export const loadMoreNotes = (store: NotesStore): Promise<void> =>
  readPage(store, store.getState().query, store.getState().page + 1)

/** Pinned notes first, then as the gateway has them. */
export const inOrder = (notes: readonly Note[]): readonly Note[] =>
  notes.toSorted((left, right) => Number(right.is_pinned) - Number(left.is_pinned))

/** Puts a note into its place; one that was just changed comes first. */
export const putNote = (store: NotesStore, note: Note): void =>
  store.setState(({ notes, total }) => {
    const others = notes.filter(({ id }) => id !== note.id)
    const isKnown = others.length < notes.length
    const listed = [note, ...others].toSorted((left, right) => right.updated_at - left.updated_at)
    return { notes: listed, total: isKnown ? total : total + 1 }
  })

const dropNote = (store: NotesStore, id: string): void =>
  store.setState(({ notes, total }) => ({
    notes: notes.filter((note) => note.id !== id),
    total: total - 1,
  }))

/** The text of a note. */
export const textOf = (note: Note): string => note.data.content?.md ?? ''

export async function createNote(store: NotesStore, title: string): Promise<Note> {
  const note = await call(endpoints.notes.create, {
    body: { title, data: { content: { md: '' } } },
  })
  putNote(store, note)
  return note
}

export async function saveNote(store: NotesStore, id: string, change: NoteUpdate): Promise<Note> {
  const note = await call(endpoints.notes.update, { params: { note_id: id }, body: change })
  // A note that was deleted meanwhile does not come back.
  if (store.getState().notes.some((each) => each.id === id)) putNote(store, note)
  return note
}

export async function togglePin(store: NotesStore, id: string): Promise<void> {
  putNote(store, await call(endpoints.notes.pin, { params: { note_id: id } }))
}

export async function shareNote(
  store: NotesStore,
  id: string,
  grants: AccessGrant[],
): Promise<void> {
  putNote(
    store,
    await call(endpoints.notes.updateAccess, {
      params: { note_id: id },
      body: { access_grants: grants },
    }),
  )
}

/** Deletes a note; the list shows it again when the gateway refuses. */
export async function removeNote(store: NotesStore, note: Note): Promise<void> {
  dropNote(store, note.id)
  try {
    await call(endpoints.notes.remove, { params: { note_id: note.id } })
  } catch (thrown) {
    putNote(store, note)
    throw thrown
  }
}

/** Makes a deleted note again as it was. */
export async function bringBackNote(store: NotesStore, note: Note): Promise<Note> {
  const { title, data, meta, access_grants } = note
  const made = await call(endpoints.notes.create, { body: { title, data, meta, access_grants } })
  putNote(store, made)
  if (note.is_pinned) await togglePin(store, made.id)
  return made
}
