import type { Note, NoteInput, NoteSearchQuery, NoteUpdate } from '#contract/notes.ts'
import type { Access, Resource } from '../access/index.ts'
import { toAuthor } from '../lib/author.ts'
import { checkPlainJson } from '../lib/check-plain-json.ts'
import { forbidden, notFound, tooLarge } from '../lib/errors.ts'
import type { Caller, Route } from '../lib/http.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import { createListNotes } from './list-notes.ts'
import { createNoteRoutes } from './routes.ts'
import { createNoteStore, type NoteRow } from './store.ts'

/** Notes people write and share (reference §10.3). 404 for what the caller may not read, 403 for what they may only read. */
export interface Notes {
  /** What the caller may read, the last changed first; 60 a page, all of them without a page. */
  list(caller: Caller, options: { page?: number; pinnedOnly?: boolean }): Iterable<Note>
  search(caller: Caller, query: NoteSearchQuery): { items: Iterable<Note>; total: number }
  get(caller: Caller, id: string): Note
  create(caller: Caller, input: NoteInput): Note
  /** Replaces fields of `data` and `meta` one by one. */
  update(caller: Caller, id: string, changes: NoteUpdate): Note
  /** For the caller alone, who may only have to read it. */
  togglePin(caller: Caller, id: string): Note
  remove(caller: Caller, id: string): void
  readonly routes: readonly Route[]
}

/** What the domain is built from. */
export interface NotesDependencies {
  readonly storage: Storage
  readonly access: Access
  readonly users: Pick<Users, 'get'>
}

const parse = <Value>(text: string): Value => JSON.parse(text) as Value

const textOf = (data: Note['data']): string => data.content?.md ?? ''

/** A whole second in nanoseconds is a multiple of 512, which a double holds exactly until the year 2262. */
const toNanoseconds = (seconds: number): number => seconds * 1_000_000_000

const LARGEST_NOTE_BYTES = 16 * 1024 * 1024

function toStored(value: unknown): string {
  checkPlainJson(value, 'The note')
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > LARGEST_NOTE_BYTES) throw tooLarge(`A note may have ${LARGEST_NOTE_BYTES} bytes.`)
  return text
}

const toResource = ({ id, user_id }: Pick<NoteRow, 'id' | 'user_id'>): Resource => ({ type: 'note', id, ownerId: user_id })

/** Builds the domain on the tables of `0008-prompts-memories-notes`. */
export function createNotes({ storage, access, users }: NotesDependencies): Notes {
  const store = createNoteStore(storage)

  function toNote(caller: Caller, { data, meta, ...row }: NoteRow): Note {
    return {
      ...row,
      created_at: toNanoseconds(row.created_at),
      updated_at: toNanoseconds(row.updated_at),
      data: parse(data),
      meta: parse(meta),
      is_pinned: store.isPinned(caller.userId, row.id),
      write_access: access.allows(caller, toResource(row), 'write'),
      user: toAuthor(users, row.user_id, caller),
      ...access.describe('note', row.id),
    }
  }
  const mayRead = (caller: Caller, row: NoteRow): boolean => access.allows(caller, toResource(row), 'read')
  function requireNote(caller: Caller, id: string, permission: 'read' | 'write'): NoteRow {
    const row = store.get(id)
    if (!row || !mayRead(caller, row)) throw notFound('There is no such note.')
    if (permission === 'write' && !access.allows(caller, toResource(row), 'write')) {
      throw forbidden('You may read this note, not change it. Ask its owner.', { code: 'not_permitted' })
    }
    return row
  }
  const get = (caller: Caller, id: string): Note => toNote(caller, requireNote(caller, id, 'read'))

  const notes: Omit<Notes, 'routes'> = {
    ...createListNotes({ store, access, mayRead, toNote }),
    get,
    create(caller, input) {
      const now = nowSeconds()
      const data = input.data ?? {}
      const row = {
        id: newId(),
        user_id: caller.userId,
        title: input.title,
        data: toStored(data),
        meta: toStored(input.meta ?? {}),
        created_at: now,
        updated_at: now,
      }
      storage.transaction(() => {
        store.insert(row)
        store.index(row.id, row.title, textOf(data))
        access.replace(caller, { type: 'note', id: row.id }, input)
      })
      return get(caller, row.id)
    },
    update(caller, id, { title, data, meta, ...grants }) {
      const row = requireNote(caller, id, 'write')
      const merged = { ...parse<Note['data']>(row.data), ...data }
      const changes = {
        title: title ?? row.title,
        data: toStored(merged),
        meta: toStored({ ...parse<object>(row.meta), ...meta }),
      }
      storage.transaction(() => {
        store.update(id, { ...changes, updated_at: nowSeconds() })
        store.index(id, changes.title, textOf(merged))
        access.replace(caller, { type: 'note', id }, grants)
      })
      return get(caller, id)
    },
    togglePin(caller, id) {
      requireNote(caller, id, 'read')
      if (store.isPinned(caller.userId, id)) store.unpin(caller.userId, id)
      else store.pin(caller.userId, id)
      return get(caller, id)
    },
    remove(caller, id) {
      requireNote(caller, id, 'write')
      storage.transaction(() => {
        store.remove(id)
        access.remove('note', id)
      })
    },
  }
  return { ...notes, routes: createNoteRoutes(notes) }
}
