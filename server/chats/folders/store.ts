import { sql, type Selectable } from 'kysely'
import type { Storage } from '../../storage/index.ts'
import type { FolderTable } from '../../storage/tables/chats.ts'

export type FolderRow = Selectable<FolderTable>
/** A folder without what only its own page and its chats need, which can be long. */
export type FolderItemRow = Omit<FolderRow, 'data'>

const ITEM_COLUMNS = ['id', 'user_id', 'parent_id', 'name', 'meta', 'is_expanded', 'created_at', 'updated_at'] as const

const WITH_DESCENDANTS =
  'with recursive below (id) as (select ? union select f.id from below cross join folder f on f.parent_id = below.id) select id from below'
const WITH_ANCESTORS =
  'with recursive above (id, depth) as (select ?, 0 union all ' +
  'select f.parent_id, depth + 1 from above cross join folder f on f.id = above.id where f.parent_id is not null limit 1000) ' +
  'select id from above order by depth'

/** The folders of chats, and what happens to the chats in them. */
export function createFolderStore({ builder, sqlite, ...storage }: Storage) {
  const byId = sqlite.prepare<[string], FolderRow>('select * from folder where id = ?')
  const descendants = sqlite.prepare<[string], string>(WITH_DESCENDANTS).pluck()
  const ancestors = sqlite.prepare<[string], string>(WITH_ANCESTORS).pluck()

  return {
    get: (id: string): FolderRow | undefined => byId.get(id),
    ofUser: (userId: string): FolderItemRow[] =>
      storage.all(
        builder
          .selectFrom('folder')
          .select(ITEM_COLUMNS)
          .where('user_id', '=', userId)
          .orderBy(sql`name collate nocase`)
          .orderBy('id'),
      ),
    count: (userId: string): number =>
      storage.get(
        builder
          .selectFrom('folder')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', userId),
      )!.count,
    /** How many chats stand right inside each folder of a user that has any. */
    chatCounts: (userId: string): ReadonlyMap<string, number> =>
      new Map(
        storage
          .all(
            builder
              .selectFrom('chat')
              .innerJoin('folder', 'folder.id', 'chat.folder_id')
              .select(({ fn }) => ['folder.id', fn.countAll<number>().as('count')])
              .where('folder.user_id', '=', userId)
              .where('chat.deleted_at', 'is', null)
              .where('chat.archived', '=', 0)
              .groupBy('folder.id'),
          )
          .map(({ id, count }) => [id, count]),
      ),
    named: (userId: string, parentId: string | null, name: string): FolderItemRow | undefined =>
      storage.get(
        builder
          .selectFrom('folder')
          .select(ITEM_COLUMNS)
          .where('user_id', '=', userId)
          .where('parent_id', parentId === null ? 'is' : '=', parentId)
          .where(sql<boolean>`name = ${name} collate nocase`),
      ),
    insert: (row: FolderRow): void => {
      storage.run(builder.insertInto('folder').values(row))
    },
    update: (id: string, changes: Partial<FolderRow>): void => {
      storage.run(builder.updateTable('folder').set(changes).where('id', '=', id))
    },
    /** Removes a folder with the folders in it. */
    remove: (id: string): void => {
      storage.run(builder.deleteFrom('folder').where('id', '=', id))
    },
    withDescendants: (id: string): string[] => descendants.all(id),
    /** The folder and those around it, from inside out. */
    withAncestors: (id: string): string[] => ancestors.all(id),
    /** Ids of chats in these folders that are not in the trash. */
    chatsIn: (folderIds: readonly string[]): string[] =>
      storage
        .all(builder.selectFrom('chat').select('id').where('folder_id', 'in', folderIds).where('deleted_at', 'is', null))
        .map((row) => row.id),
    moveChatsOut: (folderIds: readonly string[]): void => {
      storage.run(builder.updateTable('chat').set({ folder_id: null }).where('folder_id', 'in', folderIds))
    },
    trashChats: (folderIds: readonly string[], time: number): void => {
      storage.run(
        builder
          .updateTable('chat')
          .set({ deleted_at: time, folder_id: null })
          .where('folder_id', 'in', folderIds)
          .where('deleted_at', 'is', null),
      )
    },
  }
}
export type FolderStore = ReturnType<typeof createFolderStore>
