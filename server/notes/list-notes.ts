import type { Note, NoteSearchQuery } from '#contract/notes.ts'
import type { Access } from '../access/index.ts'
import type { Caller } from '../lib/http.ts'
import { wordsOf } from '../lib/words.ts'
import type { Notes } from './index.ts'
import type { NoteFilter, NoteOrder, NoteRow, NoteStore } from './store.ts'

const PAGE_SIZE = 60
const MOST_NOTES = 10_000
const MOST_WORDS = 32

/**
 * Every word has to stand in title or text and may go on. Only letters and digits enter, so nothing
 * can act as an operator.
 */
function toMatch(text: string): string | null {
  const words = [...wordsOf(text)].slice(0, MOST_WORDS)
  return words.length === 0 ? null : words.map((word) => `"${word.text}" *`).join(' AND ')
}

export interface ListNotesDependencies {
  readonly store: NoteStore
  readonly access: Access
  readonly mayRead: (caller: Caller, row: NoteRow) => boolean
  readonly toNote: (caller: Caller, row: NoteRow) => Note
}

/** The lists of notes a caller may read. */
export function createListNotes({
  store,
  access,
  mayRead,
  toNote,
}: ListNotesDependencies): Pick<Notes, 'list' | 'search'> {
  const readerOf = (caller: Caller, permission: 'read' | 'write'): NoteFilter['reader'] => ({
    userId: caller.userId,
    seesAll: caller.role === 'admin',
    grantedIds: access.grantedIds(caller, 'note', permission),
  })

  /**
   * One after the other, as each may be long; what goes away meanwhile, or is not the caller's to
   * read any more, is left out.
   */
  function* read(caller: Caller, filter: NoteFilter, order: NoteOrder): Generator<Note> {
    for (const id of store.ids(filter, order)) {
      const row = store.get(id)
      if (row && mayRead(caller, row)) yield toNote(caller, row)
    }
  }

  return {
    list(caller, { page, pinnedOnly = false }) {
      const filter = { reader: readerOf(caller, 'read'), view: null, pinnedOnly, match: null }
      const slice =
        page === undefined
          ? { offset: 0, limit: MOST_NOTES }
          : { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }
      return read(caller, filter, { by: 'updated_at', direction: 'desc', ...slice })
    },
    search(
      caller,
      { query = '', view_option, permission, order_by, direction, page = 1 }: NoteSearchQuery,
    ) {
      const match = toMatch(query)
      if (match === null && query.trim() !== '') return { items: [], total: 0 }
      const filter = {
        reader: readerOf(caller, permission || 'read'),
        view: view_option || null,
        pinnedOnly: false,
        match,
      }
      const order = {
        by: order_by || ('updated_at' as const),
        direction: direction || (order_by === 'title' ? ('asc' as const) : ('desc' as const)),
        offset: (page - 1) * PAGE_SIZE,
        limit: PAGE_SIZE,
      }
      return { items: read(caller, filter, order), total: store.count(filter) }
    },
  }
}
