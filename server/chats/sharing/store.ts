import type { Selectable } from 'kysely'
import type { Storage } from '../../storage/index.ts'
import type { SharedChatTable } from '../../storage/tables/chats.ts'

export type SharedRow = Selectable<SharedChatTable>
/** Everything about a share but what it shows. */
export type ShareRow = Omit<SharedRow, 'snapshot' | 'mentions'>

const COLUMNS = [
  'id',
  'chat_id',
  'user_id',
  'is_open',
  'version',
  'created_at',
  'updated_at',
] as const

/** What share links show, in pieces. */
function createPieces({ sqlite }: Storage) {
  const whole = sqlite
    .prepare<[string], string>('select snapshot from shared_chat where id = ?')
    .pluck()
  const insertPiece = sqlite.prepare<[string, number, string]>(
    'insert into shared_piece (chat_id, version, text) values (?, ?, ?)',
  )
  const nextPiece = sqlite.prepare<[string, number, number], { seq: number; text: string }>(
    'select seq, text from shared_piece where chat_id = ? and version = ? and seq > ? order by seq limit 1',
  )
  const otherPieces = sqlite.prepare<[string, number], { seq: number; version: number }>(
    'select seq, version from shared_piece where chat_id = ? and version <> ?',
  )
  const removePiece = sqlite.prepare<[number]>('delete from shared_piece where seq = ?')
  /** Versions that are being written or read, each as often as it is. */
  const held = new Map<number, number>()
  const hold = (version: number): void => void held.set(version, (held.get(version) ?? 0) + 1)
  const release = (version: number): void => {
    const others = held.get(version)! - 1
    if (others === 0) held.delete(version)
    else held.set(version, others)
  }

  return {
    /**
     * What a share shows, as JSON in pieces. Nothing of it goes away before the last of them is
     * read.
     */
    *pieces({ id, chat_id: chatId, version }: ShareRow): Generator<string, void> {
      if (version === 0) {
        yield whole.get(id) ?? ''
        return
      }
      hold(version)
      try {
        for (
          let piece = nextPiece.get(chatId, version, 0);
          piece;
          piece = nextPiece.get(chatId, version, piece.seq)
        )
          yield piece.text
      } finally {
        release(version)
      }
    },
    /** Keeps the pieces of a version that is being written; has to be released. */
    hold,
    release,
    insertPiece: (chatId: string, version: number, text: string): void =>
      void insertPiece.run(chatId, version, text),
    /**
     * Removes pieces of other versions than one that nobody writes or reads, each in a step; what
     * is left goes with the next call.
     */
    *removeOthers(chatId: string, version: number): Generator<void, void> {
      for (const piece of otherPieces.all(chatId, version)) {
        if (!held.has(piece.version)) removePiece.run(piece.seq)
        yield
      }
    },
  }
}

/** What share links show, and what copies of chats take along. */
export function createShareStore(all: Storage) {
  const { builder, sqlite, ...storage } = all
  const copyExpected = sqlite.prepare(
    'insert into expected_child (chat_id, child_id, parent_id) select @to, child_id, parent_id from expected_child where chat_id = @from',
  )
  const shares = () => builder.selectFrom('shared_chat')

  return {
    ...createPieces(all),
    ofChat: (chatId: string): ShareRow | undefined =>
      storage.get(shares().select(COLUMNS).where('chat_id', '=', chatId)),
    get: (id: string): ShareRow | undefined =>
      storage.get(shares().select(COLUMNS).where('id', '=', id)),
    /** Shares of chats that are not in the trash, the newest first. */
    ofUser: (userId: string, limit: number): ShareRow[] =>
      storage.all(
        shares()
          .innerJoin('chat', 'chat.id', 'shared_chat.chat_id')
          .select(COLUMNS.map((name) => `shared_chat.${name}` as const))
          .where('shared_chat.user_id', '=', userId)
          .where('chat.deleted_at', 'is', null)
          .orderBy('shared_chat.updated_at', 'desc')
          .limit(limit),
      ),
    /** Whether this id stands in what a share shows, as a value or a part of an address. */
    mentions: (id: string, text: string): boolean =>
      storage.get(
        shares()
          .select('id')
          .where('id', '=', id)
          .where((each) => {
            const isIn = (column: 'snapshot' | 'mentions') =>
              each(each.fn<number>('instr', [column, each.val(text)]), '>', 0)
            return each.or([isIn('mentions'), isIn('snapshot')])
          }),
      ) !== undefined,
    save: (row: SharedRow): void => {
      const { snapshot, version, mentions, updated_at } = row
      storage.run(
        builder
          .insertInto('shared_chat')
          .values(row)
          .onConflict((conflict) =>
            conflict.column('chat_id').doUpdateSet({ snapshot, version, mentions, updated_at }),
          ),
      )
    },
    setOpen: (id: string, isOpen: boolean): void => {
      storage.run(
        builder
          .updateTable('shared_chat')
          .set({ is_open: Number(isOpen) })
          .where('id', '=', id),
      )
    },
    remove: (id: string): void => {
      storage.run(builder.deleteFrom('shared_chat').where('id', '=', id))
    },
    /** Copies which children the messages of a chat still expect. */
    copyExpected: (place: { from: string; to: string }): void => {
      copyExpected.run(place)
    },
  }
}
export type ShareStore = ReturnType<typeof createShareStore>
