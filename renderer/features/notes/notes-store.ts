import type { AccessGrant } from '#contract/access.ts'
import type { Note, NoteUpdate } from '#contract/notes.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'

export type NotesOrder = 'changed' | 'newest' | 'name'

/** Filter and order of the list. */
export interface NotesFilter {
  readonly query: string
  readonly order: NotesOrder
}

export type NotesStore = ListStore<Note, NotesFilter>

const ASKED = {
  changed: { order_by: 'updated_at', direction: 'desc' },
  newest: { order_by: 'created_at', direction: 'desc' },
  name: { order_by: 'title', direction: 'asc' },
} as const satisfies Record<NotesOrder, object>

/** Page size of the gateway. */
const NOTES_PER_PAGE = 60

/** Creates the paginated store of the notes accessible to the user. */
export const createNotesStore = (): NotesStore =>
  new ListStore<Note, NotesFilter>({
    read: ({ state: { query, order }, page, signal }) =>
      call(
        endpoints.notes.search,
        { query: { query: query.trim() || undefined, page, ...ASKED[order] } },
        { signal },
      ),
    extra: { query: '', order: 'changed' },
    keyOf: ({ id }) => id,
    pageSize: NOTES_PER_PAGE,
  })

/** Sorts pinned notes first, otherwise in the gateway's order. */
export const inOrder = (notes: readonly Note[]): readonly Note[] =>
  notes.toSorted((left, right) => Number(right.is_pinned) - Number(left.is_pinned))

/** Inserts a note into the list; a just changed one comes first. */
export function putNote(store: NotesStore, note: Note): void {
  store.put(note)
  if (store.getState().order !== 'changed') return
  const { items } = store.getState()
  store.setState({ items: items.toSorted((left, right) => right.updated_at - left.updated_at) })
}

/** Returns the text of a note. */
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
  // A note deleted meanwhile is not added again.
  if (store.getState().items.some((each) => each.id === id)) putNote(store, note)
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

/** Deletes a note; restores it in the list if the gateway refuses. */
export const removeNote = (store: NotesStore, note: Note): Promise<void> =>
  store.remove(note, () => call(endpoints.notes.remove, { params: { note_id: note.id } }))

/** Restores a deleted note. */
export async function bringBackNote(store: NotesStore, note: Note): Promise<Note> {
  const { title, data, meta, access_grants } = note
  const made = await call(endpoints.notes.create, { body: { title, data, meta, access_grants } })
  putNote(store, made)
  if (note.is_pinned) await togglePin(store, made.id)
  return made
}
