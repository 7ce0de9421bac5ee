import type { Note, NoteInput, NoteSearchQuery, NoteUpdate } from '#contract/notes.ts'
import type { Access, Resource } from '../access/index.ts'
import { toAuthor } from '../lib/author.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { forbidden, notFound, tooLarge } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import { nextVersionAt, requireKnown } from '../lib/known-version.ts'
import { toBoundedIndexText } from '../lib/text/index-text.ts'
import { readInGroups } from '../lib/timing/read-in-groups.ts'
import { requireFit } from '../lib/json/record-bounds.ts'
import { nextTurn, runAtOnce, runInTurns } from '../lib/turns.ts'
import { wordsOf } from '../lib/text/words.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import { NoteStore, type NoteFilter, type NoteOrder, type NoteRow } from './store.ts'

/** The limits of a note, because each change reads and writes all of it. */
interface NoteBounds {
  readonly values: number
  /** Number of characters of its JSON. */
  readonly characters: number
}

interface NotesDependencies {
  readonly storage: Storage
  readonly access: Access
  readonly users: Users
  readonly bounds: () => NoteBounds
}

const PAGE_SIZE = 60
const MOST_NOTES = 10_000
const MOST_WORDS = 32

/**
 * Every term must occur in title or text as a prefix. Only letters and digits are used, so no input
 * acts as an operator.
 */
function toMatch(text: string): string | null {
  const words = [...wordsOf(text)].slice(0, MOST_WORDS)
  return words.length === 0 ? null : words.map((word) => `"${word.text}" *`).join(' AND ')
}

const parse = <Value>(text: string): Value => JSON.parse(text) as Value

const textOf = (data: Note['data']): string => data.content?.md ?? ''

/**
 * A whole second in nanoseconds is a multiple of 512, which a double holds exactly until the year
 * 2262.
 */
const toNanoseconds = (seconds: number): number => seconds * 1_000_000_000

/** Returns the JSON of `data` and `meta` as stored. */
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

/** Returns the terms of a note as indexed, computed while other requests are served. */
const findWords = (data: Note['data']): Promise<string> =>
  runInTurns(toBoundedIndexText(textOf(data)))

const toResource = ({ id, user_id }: Pick<NoteRow, 'id' | 'user_id'>): Resource => ({
  type: 'note',
  id,
  ownerId: user_id,
})

async function* nothing(): AsyncGenerator<never> {}

/**
 * Notes that users write and share, on the tables of `0008-prompts-memories-notes`. Throws 404 for
 * notes the caller may not read, 403 for those they may only read.
 */
export class Notes {
  readonly #storage: Storage
  readonly #access: Access
  readonly #users: Users
  readonly #bounds: () => NoteBounds
  readonly #store: NoteStore

  constructor({ storage, access, users, bounds }: NotesDependencies) {
    this.#storage = storage
    this.#access = access
    this.#users = users
    this.#bounds = bounds
    this.#store = new NoteStore(storage)
  }

  /**
   * Yields the notes the caller may read, last changed first; 60 per page, or all of them without a
   * page.
   */
  async *list(
    caller: Caller,
    { page, pinnedOnly = false }: { page?: number; pinnedOnly?: boolean },
  ): AsyncGenerator<Note> {
    const reader = await this.#readerOf(caller, 'read')
    const filter = { reader, view: null, pinnedOnly, match: null }
    const slice =
      page === undefined
        ? { offset: 0, limit: MOST_NOTES }
        : { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }
    yield* this.#read(caller, filter, { by: 'updated_at', direction: 'desc', ...slice })
  }

  async search(
    caller: Caller,
    { query = '', view_option, permission, order_by, direction, page = 1 }: NoteSearchQuery,
  ): Promise<{ items: AsyncIterable<Note>; total: number }> {
    const match = toMatch(query)
    if (match === null && query.trim() !== '') return { items: nothing(), total: 0 }
    const filter = {
      reader: await this.#readerOf(caller, permission || 'read'),
      view: view_option || null,
      pinnedOnly: false,
      match,
    }
    const order: NoteOrder = {
      by: order_by || 'updated_at',
      direction: direction || (order_by === 'title' ? 'asc' : 'desc'),
      offset: (page - 1) * PAGE_SIZE,
      limit: PAGE_SIZE,
    }
    return { items: this.#read(caller, filter, order), total: await this.#store.count(filter) }
  }

  async get(caller: Caller, id: string): Promise<Note> {
    const row = await this.#requireNote(caller, id, 'read')
    return this.#toNote(caller, row, await this.#store.isPinned(caller.userId, id))
  }

  async create(caller: Caller, input: NoteInput): Promise<Note> {
    const words = await findWords(input.data ?? {})
    const now = nowSeconds()
    const data = input.data ?? {}
    const row = {
      id: newId(),
      user_id: caller.userId,
      title: input.title,
      ...toStored(data, input.meta ?? {}, this.#bounds()),
      created_at: now,
      updated_at: now,
    }
    await nextTurn()
    await this.#storage.transaction(async () => {
      await this.#store.insert(row)
      await this.#store.index(row.id, row.title, words)
      await this.#access.replace(caller, { type: 'note', id: row.id }, input)
    })
    await nextTurn()
    return this.get(caller, row.id)
  }

  /**
   * Replaces fields of `data` and `meta` individually. Throws 409 if another text than the known one
   * would be replaced.
   */
  async update(
    caller: Caller,
    id: string,
    { title, data, meta, known_at: knownAt, ...grants }: NoteUpdate,
  ): Promise<Note> {
    const before = await this.#requireNote(caller, id, 'write')
    const text = { ...parse<Note['data']>(before.data), ...data }
    const words = await findWords(text)
    const prepared = toStored(text, { ...parse<object>(before.meta), ...meta }, this.#bounds())
    await nextTurn()
    await this.#storage.transaction(async () => {
      // Another user may have changed it since.
      const row = await this.#requireNote(caller, id, 'write')
      const isSame = row.data === before.data && row.meta === before.meta
      const merged = isSame ? text : { ...parse<Note['data']>(row.data), ...data }
      const changes = {
        title: title ?? row.title,
        ...(isSame
          ? prepared
          : toStored(merged, { ...parse<object>(row.meta), ...meta }, this.#bounds())),
      }
      if (changes.data !== row.data || changes.title !== row.title)
        requireKnown(toNanoseconds(row.updated_at), knownAt)
      const updatedAt = nextVersionAt(row.updated_at)
      await this.#store.update(id, { ...changes, updated_at: updatedAt })
      await this.#store.index(
        id,
        changes.title,
        textOf(merged) === textOf(text) ? words : runAtOnce(toBoundedIndexText(textOf(merged))),
      )
      await this.#access.replace(caller, { type: 'note', id }, grants)
    })
    await nextTurn()
    return this.get(caller, id)
  }

  /** Applies to the caller only, who needs no permission to change the note. */
  async togglePin(caller: Caller, id: string): Promise<Note> {
    await this.#storage.transaction(async () => {
      await this.#requireNote(caller, id, 'read')
      if (await this.#store.isPinned(caller.userId, id)) await this.#store.unpin(caller.userId, id)
      else await this.#store.pin(caller.userId, id)
    })
    return this.get(caller, id)
  }

  async remove(caller: Caller, id: string): Promise<void> {
    await this.#requireNote(caller, id, 'write')
    await this.#storage.transaction(async () => {
      await this.#store.remove(id)
      await this.#access.remove('note', id)
    })
  }

  async #readerOf(caller: Caller, permission: 'read' | 'write'): Promise<NoteFilter['reader']> {
    return {
      userId: caller.userId,
      seesAll: caller.role === 'admin',
      grantedIds: await this.#access.grantedIds(caller, 'note', permission),
    }
  }

  /**
   * Reads a few notes at a time, because each may be long. Notes that were deleted meanwhile, or
   * that the caller may no longer read, are left out.
   */
  async *#read(caller: Caller, filter: NoteFilter, order: NoteOrder): AsyncGenerator<Note> {
    const ids = await this.#store.ids(filter, order)
    const pinned = await this.#store.pinnedIds(caller.userId)
    for await (const row of readInGroups(ids, (some) => this.#several(some)))
      if (await this.#mayRead(caller, row))
        yield await this.#toNote(caller, row, pinned.has(row.id))
  }

  async #several(ids: readonly string[]): Promise<NoteRow[]> {
    const rows = await this.#store.several(ids)
    await this.#users.readAhead(rows.map((row) => row.user_id))
    return rows
  }

  async #toNote(caller: Caller, { data, meta, ...row }: NoteRow, isPinned: boolean): Promise<Note> {
    return {
      ...row,
      created_at: toNanoseconds(row.created_at),
      updated_at: toNanoseconds(row.updated_at),
      data: parse(data),
      meta: parse(meta),
      is_pinned: isPinned,
      write_access: await this.#access.allows(caller, toResource(row), 'write'),
      user: await toAuthor(this.#users, row.user_id, caller),
      ...(await this.#access.describe('note', row.id)),
    }
  }

  #mayRead(caller: Caller, row: NoteRow): boolean | Promise<boolean> {
    return this.#access.allows(caller, toResource(row), 'read')
  }

  async #requireNote(caller: Caller, id: string, permission: 'read' | 'write'): Promise<NoteRow> {
    const row = await this.#store.get(id)
    if (!row || !(await this.#mayRead(caller, row))) throw notFound('There is no such note.')
    if (permission === 'write' && !(await this.#access.allows(caller, toResource(row), 'write'))) {
      throw forbidden('You can read this note but not edit it. Ask its owner for access.', {
        code: 'not_permitted',
      })
    }
    return row
  }
}
