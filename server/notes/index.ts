import type { Note, NoteInput, NoteSearchQuery, NoteUpdate } from '#contract/notes.ts'
import type { Access, Resource } from '../access/index.ts'
import { toAuthor } from '../lib/author.ts'
import { checkPlainJson } from '../lib/check-plain-json.ts'
import { forbidden, notFound, tooLarge } from '../lib/errors.ts'
import type { Caller, Route } from '../lib/http.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import { toBoundedIndexText } from '../lib/index-text.ts'
import { requireFit } from '../lib/record-bounds.ts'
import { nextTurn, runAtOnce, runInTurns } from '../lib/turns.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import { createListNotes } from './list-notes.ts'
import { createNoteRoutes } from './routes.ts'
import { createNoteStore, type NoteRow } from './store.ts'

/**
 * Notes people write and share (reference §10.3). 404 for what the caller may not read, 403 for
 * what they may only read.
 */
export interface Notes {
  /** What the caller may read, the last changed first; 60 a page, all of them without a page. */
  list(caller: Caller, options: { page?: number; pinnedOnly?: boolean }): Iterable<Note>
  search(caller: Caller, query: NoteSearchQuery): { items: Iterable<Note>; total: number }
  get(caller: Caller, id: string): Note
  create(caller: Caller, input: NoteInput): Promise<Note>
  /** Replaces fields of `data` and `meta` one by one. */
  update(caller: Caller, id: string, changes: NoteUpdate): Promise<Note>
  /** For the caller alone, who may only have to read it. */
  togglePin(caller: Caller, id: string): Note
  remove(caller: Caller, id: string): void
  readonly routes: readonly Route[]
}

/** What a note may hold, as each change reads and writes all of it. */
export interface NoteBounds {
  readonly values: number
  /** Characters of its JSON. */
  readonly characters: number
}

/** What the domain is built from. */
export interface NotesDependencies {
  readonly storage: Storage
  readonly access: Access
  readonly users: Pick<Users, 'get'>
  /** What a note may hold. */
  readonly bounds: () => NoteBounds
}

const parse = <Value>(text: string): Value => JSON.parse(text) as Value

const textOf = (data: Note['data']): string => data.content?.md ?? ''

/**
 * A whole second in nanoseconds is a multiple of 512, which a double holds exactly until the year
 * 2262.
 */
const toNanoseconds = (seconds: number): number => seconds * 1_000_000_000

/** The JSON of `data` and `meta` as they are stored. */
function toStored(
  data: unknown,
  meta: unknown,
  { values, characters }: NoteBounds,
): Pick<NoteRow, 'data' | 'meta'> {
  requireFit([data, meta], 'The note', { values, characters: Infinity })
  checkPlainJson([data, meta], 'The note')
  const stored = { data: JSON.stringify(data), meta: JSON.stringify(meta) }
  const length = stored.data.length + stored.meta.length
  if (length > characters) {
    throw tooLarge(
      `The note would have ${length} characters; a note may have ${characters} (NOTE_MAX_CHARACTERS), those of pictures within it included. ` +
        'Split it, or add its pictures as files.',
    )
  }
  return stored
}

/** The words of a note as they are indexed, found while others are served. */
const findWords = (data: Note['data']): Promise<string> =>
  runInTurns(toBoundedIndexText(textOf(data)))

const toResource = ({ id, user_id }: Pick<NoteRow, 'id' | 'user_id'>): Resource => ({
  type: 'note',
  id,
  ownerId: user_id,
})

/** Builds the domain on the tables of `0008-prompts-memories-notes`. */
export function createNotes({ storage, access, users, bounds }: NotesDependencies): Notes {
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
  const mayRead = (caller: Caller, row: NoteRow): boolean =>
    access.allows(caller, toResource(row), 'read')
  function requireNote(caller: Caller, id: string, permission: 'read' | 'write'): NoteRow {
    const row = store.get(id)
    if (!row || !mayRead(caller, row)) throw notFound('There is no such note.')
    if (permission === 'write' && !access.allows(caller, toResource(row), 'write')) {
      throw forbidden('You may read this note, not change it. Ask its owner.', {
        code: 'not_permitted',
      })
    }
    return row
  }
  const get = (caller: Caller, id: string): Note => toNote(caller, requireNote(caller, id, 'read'))

  const notes: Omit<Notes, 'routes'> = {
    ...createListNotes({ store, access, mayRead, toNote }),
    get,
    async create(caller, input) {
      const words = await findWords(input.data ?? {})
      const now = nowSeconds()
      const data = input.data ?? {}
      const row = {
        id: newId(),
        user_id: caller.userId,
        title: input.title,
        ...toStored(data, input.meta ?? {}, bounds()),
        created_at: now,
        updated_at: now,
      }
      storage.transaction(() => {
        store.insert(row)
        store.index(row.id, row.title, words)
        access.replace(caller, { type: 'note', id: row.id }, input)
      })
      await nextTurn()
      return get(caller, row.id)
    },
    async update(caller, id, { title, data, meta, ...grants }) {
      const before = requireNote(caller, id, 'write')
      const text = { ...parse<Note['data']>(before.data), ...data }
      const words = await findWords(text)
      const row = requireNote(caller, id, 'write')
      const merged = row.data === before.data ? text : { ...parse<Note['data']>(row.data), ...data }
      const changes = {
        title: title ?? row.title,
        ...toStored(merged, { ...parse<object>(row.meta), ...meta }, bounds()),
      }
      storage.transaction(() => {
        store.update(id, { ...changes, updated_at: nowSeconds() })
        store.index(
          id,
          changes.title,
          textOf(merged) === textOf(text) ? words : runAtOnce(toBoundedIndexText(textOf(merged))),
        )
        access.replace(caller, { type: 'note', id }, grants)
      })
      await nextTurn()
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
