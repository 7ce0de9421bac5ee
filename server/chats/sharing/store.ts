import type { Selectable } from 'kysely'
import type { Storage } from '../../storage/index.ts'
import type { SharedChatTable } from '../../storage/tables/chats.ts'

export type SharedRow = Selectable<SharedChatTable>
/** Everything about a share but what it shows. */
export type ShareRow = Omit<SharedRow, 'snapshot'>

const COLUMNS = ['id', 'chat_id', 'user_id', 'is_open', 'created_at', 'updated_at'] as const

/** What share links show, and what copies of chats take along. */
export function createShareStore({ builder, sqlite, ...storage }: Storage) {
  const copyExpected = sqlite.prepare(
    'insert into expected_child (chat_id, child_id, parent_id) select @to, child_id, parent_id from expected_child where chat_id = @from',
  )
  const shares = () => builder.selectFrom('shared_chat')

  return {
    ofChat: (chatId: string): ShareRow | undefined => storage.get(shares().select(COLUMNS).where('chat_id', '=', chatId)),
    get: (id: string): ShareRow | undefined => storage.get(shares().select(COLUMNS).where('id', '=', id)),
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
    /** Whether this text stands in what a share shows, as a value or a part of an address. */
    mentions: (id: string, text: string): boolean =>
      storage.get(
        shares()
          .select('id')
          .where('id', '=', id)
          .where((each) => each.fn<number>('instr', ['snapshot', each.val(text)]), '>', 0),
      ) !== undefined,
    snapshot: (id: string): string => storage.get(shares().select('snapshot').where('id', '=', id))?.snapshot ?? '',
    save: (row: SharedRow): void => {
      storage.run(
        builder
          .insertInto('shared_chat')
          .values(row)
          .onConflict((conflict) => conflict.column('chat_id').doUpdateSet({ snapshot: row.snapshot, updated_at: row.updated_at })),
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
