import { newId, nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'
import type { GroupRecord } from './index.ts'

const COLUMNS = [
  'id',
  'user_id',
  'name',
  'description',
  'permissions',
  'data',
  'meta',
  'created_at',
  'updated_at',
] as const

/** What can be set of a group. */
export type GroupFields = Pick<
  GroupRecord,
  'name' | 'description' | 'permissions' | 'data' | 'meta'
>

const encode = ({ permissions, data, meta, ...rest }: Partial<GroupFields>) => ({
  ...rest,
  ...(permissions && { permissions: JSON.stringify(permissions) }),
  ...(data && { data: JSON.stringify(data) }),
  ...(meta && { meta: JSON.stringify(meta) }),
})

/** SQL on the tables `user_group` and `user_group_member`. */
export class GroupStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  readAll(): GroupRecord[] {
    return this.#storage
      .all(
        this.#storage.builder
          .selectFrom('user_group')
          .select(COLUMNS)
          .orderBy('name')
          .orderBy('id'),
      )
      .map((row) => ({
        ...row,
        permissions: JSON.parse(row.permissions) as GroupRecord['permissions'],
        data: JSON.parse(row.data) as GroupRecord['data'],
        meta: JSON.parse(row.meta) as GroupRecord['meta'],
      }))
  }

  readMembers() {
    return this.#storage.all(
      this.#storage.builder.selectFrom('user_group_member').select(['group_id', 'user_id']),
    )
  }

  insert(userId: string | null, fields: GroupFields): string {
    const id = newId()
    const now = nowSeconds()
    const row = {
      name: fields.name,
      description: fields.description,
      permissions: JSON.stringify(fields.permissions),
    }
    const extra = { data: JSON.stringify(fields.data), meta: JSON.stringify(fields.meta) }
    this.#storage.run(
      this.#storage.builder
        .insertInto('user_group')
        .values({ id, user_id: userId, ...row, ...extra, created_at: now, updated_at: now }),
    )
    return id
  }

  update(id: string, fields: Partial<GroupFields>): void {
    this.#storage.run(
      this.#storage.builder
        .updateTable('user_group')
        .set({ ...encode(fields), updated_at: nowSeconds() })
        .where('id', '=', id),
    )
  }

  remove(id: string): void {
    this.#storage.run(this.#storage.builder.deleteFrom('user_group').where('id', '=', id))
  }

  addMember(groupId: string, userId: string): void {
    this.#storage.run(
      this.#storage.builder
        .insertInto('user_group_member')
        .values({ group_id: groupId, user_id: userId })
        .onConflict((conflict) => conflict.doNothing()),
    )
  }

  removeMember(groupId: string, userId: string): void {
    this.#storage.run(
      this.#storage.builder
        .deleteFrom('user_group_member')
        .where('group_id', '=', groupId)
        .where('user_id', '=', userId),
    )
  }

  removeMembers(groupId: string): void {
    this.#storage.run(
      this.#storage.builder.deleteFrom('user_group_member').where('group_id', '=', groupId),
    )
  }
}
