import { sql, type Selectable } from 'kysely'
import type { SizedId } from '../../lib/timing/read-in-groups.ts'
import { among } from '../../storage/among.ts'
import type { Dialect } from '../../storage/dialect.ts'
import type { Storage } from '../../storage/index.ts'
import type { FolderTable } from '../../storage/tables/chats.ts'

export type FolderRow = Selectable<FolderTable>
/** A folder without the fields that only its own page and its chats need, which can be long. */
export type FolderItemRow = Omit<FolderRow, 'data' | 'deleted_at'>

export interface TrashedFolderRow {
  readonly id: string
  readonly name: string
  /** The parent folder that was moved to the trash at the same time. */
  readonly parent_id: string | null
  readonly deleted_at: number
  /** Number of chats directly inside. */
  readonly chat_count: number
}

const ITEM_COLUMNS = [
  'id',
  'user_id',
  'parent_id',
  'name',
  'meta',
  'is_expanded',
  'created_at',
  'updated_at',
] as const

const toLowerAscii = (name: string): string =>
  name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

const descendantsBy = ({ eachIn }: Dialect): string =>
  'with recursive below (id) as (select id from folder where id = ? union ' +
  `select f.id ${eachIn('below', 'folder f', 'f.parent_id = below.id')}) select id from below`
const ancestorsBy = ({ eachIn }: Dialect): string =>
  'with recursive above (id, depth) as (select id, 0 from folder where id = ? union all ' +
  `select f.parent_id, depth + 1 ${eachIn('above', 'folder f', 'f.id = above.id and f.parent_id is not null and above.depth < 1000')}) ` +
  'select id from above order by depth'

/**
 * Maximum number of chats moved with their folder, or restored with it, in one transaction: each is
 * written as a whole, in a table and several indexes.
 */
const MOVED_AT_ONCE = 50

/** Folders of chats, and changes to the chats in them. */
export class FolderStore {
  readonly #storage: Storage
  readonly #builder
  readonly #byId
  readonly #descendants
  readonly #ancestors

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
    this.#byId = storage.prepare<[string], FolderRow>('select * from folder where id = ?')
    this.#descendants = storage.prepare<[string], string>(descendantsBy(storage.dialect)).pluck()
    this.#ancestors = storage.prepare<[string], string>(ancestorsBy(storage.dialect)).pluck()
  }

  /**
   * Moves a limited number of chats out of folders that are being deleted, into the trash if a time
   * is given, and records their folders; resolves with false if none is left.
   */
  async moveSomeOut(folderIds: readonly string[], trashedAt: number | null): Promise<boolean> {
    const ids = (
      await this.#storage.all(this.#inFolders(folderIds).select('id').limit(MOVED_AT_ONCE))
    ).map(({ id }) => id)
    if (ids.length === 0) return false
    const chats = this.#builder.selectFrom('chat').where('id', 'in', ids)
    await this.#storage.run(
      this.#builder
        .insertInto('folder_leaver')
        .columns(['chat_id', 'folder_id'])
        .expression(
          chats.select((chat) => ['id', chat.ref('folder_id').$notNull().as('folder_id')]),
        )
        .onConflict((stood) =>
          stood
            .column('chat_id')
            .doUpdateSet((row) => ({ folder_id: row.ref('excluded.folder_id') })),
        ),
    )
    const change = this.#builder.updateTable('chat').where('id', 'in', ids)
    if (trashedAt !== null)
      await this.#storage.run(change.set({ deleted_at: trashedAt }).where('deleted_at', 'is', null))
    await this.#storage.run(change.set({ folder_id: null }))
    return true
  }

  async trash(folderIds: readonly string[], time: number): Promise<void> {
    await this.#storage.run(
      this.#builder
        .updateTable('folder')
        .set({ deleted_at: time })
        .where('id', 'in', folderIds)
        .where('deleted_at', 'is', null),
    )
  }

  inTrash(userId: string, since: number): Promise<TrashedFolderRow[]> {
    return this.#storage.all(
      this.#builder
        .selectFrom('folder')
        .leftJoin('folder as parent', (join) =>
          join
            .onRef('parent.id', '=', 'folder.parent_id')
            .onRef('parent.deleted_at', '=', 'folder.deleted_at'),
        )
        .select(['folder.id', 'folder.name', 'parent.id as parent_id'])
        .select(sql<number>`folder.deleted_at`.as('deleted_at'))
        .select(
          sql<number>`(select count(*) from folder_leaver where folder_id = folder.id)`.as(
            'chat_count',
          ),
        )
        .where('folder.user_id', '=', userId)
        .where('folder.deleted_at', '>=', since)
        .orderBy('folder.deleted_at', 'desc')
        .orderBy(sql.raw(this.#storage.dialect.withoutCase('folder.name')))
        .orderBy('folder.id'),
    )
  }

  /**
   * Marks a folder and its subfolders that were moved to the trash at the same time as expired; the
   * others stay there.
   */
  async giveUp(id: string, insideIds: readonly string[], time: number): Promise<void> {
    const others = this.#builder
      .updateTable('folder')
      .set({ parent_id: null })
      .where('id', 'in', insideIds)
    await this.#storage.run(others.where('deleted_at', 'is distinct from', time))
    const together = this.#builder
      .updateTable('folder')
      .set({ deleted_at: 0 })
      .where('id', 'in', [id, ...insideIds])
    await this.#storage.run(together.where('deleted_at', '=', time))
  }

  /** Returns those of the folders that were moved to the trash at the given time. */
  async trashedAt(folderIds: readonly string[], time: number): Promise<string[]> {
    return (
      await this.#storage.all(
        this.#builder
          .selectFrom('folder')
          .select('id')
          .where('id', 'in', folderIds)
          .where('deleted_at', '=', time),
      )
    ).map(({ id }) => id)
  }

  /**
   * Moves a limited number of chats back into folders; chats that were moved since stay. Resolves
   * with false if none is left.
   */
  async restoreSomeChats(folderIds: readonly string[], time: number): Promise<boolean> {
    const leavers = this.#builder
      .selectFrom('folder_leaver')
      .where('folder_leaver.folder_id', 'in', folderIds)
    const ids = (await this.#storage.all(leavers.select('chat_id').limit(MOVED_AT_ONCE))).map(
      ({ chat_id: id }) => id,
    )
    if (ids.length === 0) return false
    await this.#storage.run(
      this.#builder
        .updateTable('chat')
        .set((chat) => ({
          folder_id: chat
            .selectFrom('folder_leaver')
            .select('folder_leaver.folder_id')
            .whereRef('chat_id', '=', 'chat.id'),
          deleted_at: sql<number | null>`nullif(deleted_at, ${time})`,
        }))
        .where('id', 'in', ids)
        .where('folder_id', 'is', null)
        .where((chat) => chat.or([chat('archived', '=', 0), chat('deleted_at', 'is not', null)])),
    )
    await this.#storage.run(this.#builder.deleteFrom('folder_leaver').where('chat_id', 'in', ids))
    return true
  }

  async restore(folderIds: readonly string[]): Promise<void> {
    await this.#storage.run(
      this.#builder.updateTable('folder').set({ deleted_at: null }).where('id', 'in', folderIds),
    )
  }

  async get(id: string): Promise<FolderRow | undefined> {
    const folder = await this.#byId.get(id)
    return folder?.deleted_at === null ? folder : undefined
  }

  /** Returns a folder, whether or not it is in the trash. */
  getAnywhere(id: string): Promise<FolderRow | undefined> {
    return this.#byId.get(id)
  }

  /** Returns the ids of the folders of a user, by name. */
  idsOfUser(userId: string): Promise<SizedId[]> {
    return this.#storage.all(
      this.#builder
        .selectFrom('folder')
        .select([
          'id',
          sql<number>`coalesce(octet_length(meta), 0) + coalesce(octet_length(data), 0)`.as(
            'bytes',
          ),
        ])
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .orderBy(sql.raw(this.#storage.dialect.withoutCase('name')))
        .orderBy('id'),
    )
  }

  /** In any order; those deleted meanwhile are missing. */
  several(ids: readonly string[]): Promise<FolderRow[]> {
    return this.#storage.all(this.#among(ids).selectAll())
  }

  /** Same as `several`, without the long fields. */
  items(ids: readonly string[]): Promise<FolderItemRow[]> {
    return this.#storage.all(this.#among(ids).select(ITEM_COLUMNS))
  }

  count(userId: string): Promise<number> {
    return this.#storage.count(
      this.#builder
        .selectFrom('folder')
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null),
    )
  }

  /** Returns the number of chats directly inside each folder of a user that has any. */
  async chatCounts(userId: string): Promise<ReadonlyMap<string, number>> {
    return new Map(
      (
        await this.#storage.all(
          this.#builder
            .selectFrom('chat')
            .innerJoin('folder', 'folder.id', 'chat.folder_id')
            .select(({ fn }) => ['folder.id', fn.countAll<number>().as('count')])
            .where('folder.user_id', '=', userId)
            .where('chat.deleted_at', 'is', null)
            .where('chat.archived', '=', 0)
            .groupBy('folder.id'),
        )
      ).map(({ id, count }) => [id, count]),
    )
  }

  named(userId: string, parentId: string | null, name: string): Promise<FolderItemRow | undefined> {
    return this.#storage.get(
      this.#builder
        .selectFrom('folder')
        .select(ITEM_COLUMNS)
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .where('parent_id', parentId === null ? 'is' : '=', parentId)
        .where(sql.raw<string>(this.#storage.dialect.withoutCase('name')), '=', toLowerAscii(name)),
    )
  }

  async insert(row: FolderRow): Promise<void> {
    await this.#storage.insert('folder', row)
  }

  async update(id: string, changes: Partial<FolderRow>): Promise<void> {
    await this.#storage.update('folder', id, changes)
  }

  withDescendants(id: string): Promise<string[]> {
    return this.#descendants.all(id)
  }

  /** Returns the folder and its ancestors, innermost first. */
  withAncestors(id: string): Promise<string[]> {
    return this.#ancestors.all(id)
  }

  /** Returns the ids of chats in these folders that are not in the trash. */
  async chatsIn(folderIds: readonly string[]): Promise<string[]> {
    return (
      await this.#storage.all(
        this.#builder
          .selectFrom('chat')
          .select('id')
          .where('folder_id', 'in', folderIds)
          .where('deleted_at', 'is', null),
      )
    ).map((row) => row.id)
  }

  #among(ids: readonly string[]) {
    return this.#builder
      .selectFrom('folder')
      .where('id', 'in', among(ids))
      .where('deleted_at', 'is', null)
  }

  #inFolders(folderIds: readonly string[]) {
    return this.#builder.selectFrom('chat').where('folder_id', 'in', folderIds)
  }
}
