import { newId, nowSeconds } from '../lib/ids.ts'
import { among } from '../storage/among.ts'
import type { Storage } from '../storage/index.ts'
import type { GroupRecord } from './group-record.ts'

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

/** Fields of a group that can be set. */
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

/** Most groups have empty values in most of their fields, which need no parser. */
const decode = <Value>(text: string): Value => (text === '{}' ? {} : JSON.parse(text)) as Value

interface EncodedGroup extends Omit<GroupRecord, 'permissions' | 'data' | 'meta'> {
  readonly permissions: string
  readonly data: string
  readonly meta: string
}

const toRecord = (row: EncodedGroup): GroupRecord => ({
  ...row,
  permissions: decode<GroupRecord['permissions']>(row.permissions),
  data: decode<GroupRecord['data']>(row.data),
  meta: decode<GroupRecord['meta']>(row.meta),
})

/** SQL on the tables `user_group` and `user_group_member`. */
export class GroupStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async readAll(): Promise<GroupRecord[]> {
    return (
      await this.#storage.all(
        this.#storage.builder
          .selectFrom('user_group')
          .select(COLUMNS)
          .orderBy('name')
          .orderBy('id'),
      )
    ).map(toRecord)
  }

  async read(id: string): Promise<GroupRecord | undefined> {
    const row = await this.#storage.get(
      this.#storage.builder.selectFrom('user_group').select(COLUMNS).where('id', '=', id),
    )
    return row && toRecord(row)
  }

  /** Returns the ids of the groups of a user, by name. */
  async readIdsOf(userId: string): Promise<string[]> {
    return (
      await this.#storage.all(
        this.#storage.builder
          .selectFrom('user_group_member')
          .innerJoin('user_group', 'user_group.id', 'user_group_member.group_id')
          .select('user_group.id')
          .where('user_group_member.user_id', '=', userId)
          .orderBy('user_group.name')
          .orderBy('user_group.id'),
      )
    ).map(({ id }) => id)
  }

  /** Returns the ids of the groups of several users. */
  readIdsOfSeveral(userIds: readonly string[]): Promise<{ user_id: string; id: string }[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('user_group_member')
        .innerJoin('user_group', 'user_group.id', 'user_group_member.group_id')
        .select(['user_group_member.user_id', 'user_group.id'])
        .where('user_group_member.user_id', 'in', among(userIds))
        .orderBy('user_group.name')
        .orderBy('user_group.id'),
    )
  }

  async readMembersOf(groupId: string): Promise<string[]> {
    return (
      await this.#storage.all(
        this.#storage.builder
          .selectFrom('user_group_member')
          .select('user_id')
          .where('group_id', '=', groupId),
      )
    ).map(({ user_id }) => user_id)
  }

  async insert(userId: string | null, fields: GroupFields): Promise<string> {
    const id = newId()
    const now = nowSeconds()
    const row = {
      name: fields.name,
      description: fields.description,
      permissions: JSON.stringify(fields.permissions),
    }
    const extra = { data: JSON.stringify(fields.data), meta: JSON.stringify(fields.meta) }
    await this.#storage.insert('user_group', {
      id,
      user_id: userId,
      ...row,
      ...extra,
      created_at: now,
      updated_at: now,
    })
    return id
  }

  async update(id: string, fields: Partial<GroupFields>): Promise<void> {
    await this.#storage.update('user_group', id, { ...encode(fields), updated_at: nowSeconds() })
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('user_group', id)
  }

  async addMember(groupId: string, userId: string): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('user_group_member')
        .values({ group_id: groupId, user_id: userId })
        .onConflict((conflict) => conflict.doNothing()),
    )
  }

  /** Leaves out ids that belong to no account. */
  async addMembers(groupId: string, userIds: readonly string[]): Promise<void> {
    const accounts = this.#storage.builder
      .selectFrom('user')
      .select((each) => [each.val(groupId).as('group_id'), 'id'])
      .where('id', 'in', among(userIds))
      .where('deleted_at', 'is', null)
    await this.#storage.run(
      this.#storage.builder
        .insertInto('user_group_member')
        .columns(['group_id', 'user_id'])
        .expression(accounts)
        .onConflict((conflict) => conflict.doNothing()),
    )
  }

  async removeMember(groupId: string, userId: string): Promise<void> {
    await this.#storage.remove('user_group_member', { group_id: groupId, user_id: userId })
  }

  /** Removes the given members; all of them when absent. */
  async removeMembers(groupId: string, userIds?: readonly string[]): Promise<void> {
    const ofGroup = this.#storage.builder
      .deleteFrom('user_group_member')
      .where('group_id', '=', groupId)
    await this.#storage.run(userIds ? ofGroup.where('user_id', 'in', among(userIds)) : ofGroup)
  }
}
