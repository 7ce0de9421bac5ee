import { flatMapInOrder, mapInOrder } from '../lib/in-order.ts'
import { sql } from 'kysely'
import { inGroups } from '../lib/timing/in-groups.ts'
import type { Storage } from '../storage/index.ts'
import type { ChannelMemberTable, ChannelTable } from '../storage/tables/channels.ts'

export type ChannelRow = ChannelTable
export type MemberRow = ChannelMemberTable

/** Determines which channels a user sees. */
export interface Reader {
  readonly userId: string
  /** True if the user sees every public channel, regardless of its creator. */
  readonly seesAll: boolean
  readonly grantedIds: ReadonlySet<string>
}

/** State of a channel for one of its readers. */
export interface Reading extends Unread {
  readonly id: string
  /** The read mark; null if the reader has none. */
  readonly mark: number | null
  /** Time from which messages count as unread. */
  readonly since: number
  readonly last_message_at: number | null
}

/** Number of messages of others since a time, up to a limit. */
interface Unread {
  readonly messages: number
  readonly mentions: number
}

const MOST_UNREAD = 1000
/** Number of channels read in one statement. */
const CHANNELS_AT_ONCE = 64

const asList = (values: Iterable<string>) =>
  sql<string>`(select value from json_each(${JSON.stringify([...values])}))`

const existing = ({ builder }: Storage) =>
  builder.selectFrom('channel').where('deleted_at', 'is', null)

/** SQL on the tables `channel`, `channel_member` and `channel_mark`. Each method is atomic. */
export class ChannelStore {
  readonly #storage: Storage
  readonly #groupsWithoutManager
  // Counting stops at a limit, because a user may be away for a long time.
  readonly #unread
  readonly #mentions
  readonly #firstUnread
  readonly #readings

  constructor(storage: Storage) {
    this.#storage = storage
    this.#groupsWithoutManager = existing(storage)
      .select('id')
      .where('type', '=', 'group')
      .where((where) => {
        const managers = where
          .selectFrom('channel_member as m')
          .select('m.id')
          .whereRef('m.channel_id', '=', 'channel.id')
        return where.not(
          where.exists(managers.where('m.role', '=', 'manager').where('m.is_active', '=', 1)),
        )
      })
    this.#unread = storage.prepare<[string, number, string, number], { count: number }>(
      'select count(*) as count from (select 1 from channel_message where channel_id = ? and created_at > ? ' +
        'and (user_id <> ? or webhook_id is not null) order by created_at limit ?) counted',
    )
    this.#mentions = storage.prepare<[string, string, number, number], { count: number }>(
      'select count(*) as count from (select 1 from channel_mention where user_id = ? and channel_id = ? and created_at > ? limit ?) counted',
    )
    this.#firstUnread = storage.prepare<[string, number, string], { id: string }>(
      'select id from channel_message where channel_id = ? and parent_id is null and created_at > ? ' +
        'and (user_id <> ? or webhook_id is not null) order by created_at limit 1',
    )
    this.#readings = storage.prepare<
      [string, number, string, number, number, string, string, string],
      Reading
    >(
      'select channel.id, channel.mark, channel.since, ' +
        '(select max(created_at) from channel_message where channel_id = channel.id) as last_message_at, ' +
        '(select count(*) from (select 1 from channel_message where channel_id = channel.id and created_at > channel.since ' +
        'and (user_id <> ? or webhook_id is not null) order by created_at limit ?) counted) as messages, ' +
        '(select count(*) from (select 1 from channel_mention where user_id = ? and channel_id = channel.id ' +
        'and created_at > channel.since limit ?) counted) as mentions ' +
        'from (select list.value as id, mark.last_read_at as mark, coalesce(mark.last_read_at, member.joined_at, ?) as since ' +
        'from json_each(?) list left join channel_mark mark on mark.user_id = ? and mark.channel_id = list.value ' +
        'left join channel_member member on member.user_id = ? and member.channel_id = list.value) channel',
    )
  }

  async get(id: string): Promise<ChannelRow | null> {
    return (
      (await this.#storage.get(existing(this.#storage).selectAll().where('id', '=', id))) ?? null
    )
  }

  async findByPeople(people: string): Promise<ChannelRow | null> {
    return (
      (await this.#storage.get(existing(this.#storage).selectAll().where('people', '=', people))) ??
      null
    )
  }

  /** Channels the user is a member of or may read. */
  async list({ userId, seesAll, grantedIds }: Reader): Promise<ChannelRow[]> {
    const own = this.#storage.builder
      .selectFrom('channel_member')
      .select('channel_id')
      .where('user_id', '=', userId)
      .where('is_active', '=', 1)
    const joined = await this.#storage.all(
      existing(this.#storage).selectAll().where('id', 'in', own),
    )
    const open = existing(this.#storage).selectAll().where('type', 'is', null)
    const shown = seesAll
      ? open
      : open.where((where) =>
          where.or([where('user_id', '=', userId), where('id', 'in', asList(grantedIds))]),
        )
    const known = new Set(joined.map(({ id }) => id))
    return [...(await this.#storage.all(shown)).filter(({ id }) => !known.has(id)), ...joined]
  }

  async listAll(): Promise<ChannelRow[]> {
    return this.#storage.all(existing(this.#storage).selectAll().orderBy('created_at'))
  }

  /** Resolves with false if the same users already have a conversation. */
  async insert(row: ChannelRow, people: readonly MemberRow[]): Promise<boolean> {
    return this.#storage.transaction(async () => {
      if (
        row.people !== null &&
        (await this.#storage.get(
          existing(this.#storage).select('id').where('people', '=', row.people),
        ))
      )
        return false
      await this.#storage.insert('channel', row)
      await mapInOrder(people, (person) => this.#put(person))
      return true
    })
  }

  async update(id: string, changes: Partial<Omit<ChannelRow, 'id'>>): Promise<void> {
    await this.#storage.update('channel', id, changes)
  }

  /**
   * Hides the channel from all users at once; its rows are deleted in the background. Resolves with
   * false if it was already gone.
   */
  async remove({ id, name }: Pick<ChannelRow, 'id' | 'name'>, now: number): Promise<boolean> {
    return this.#storage.transaction(async () => {
      const hidden = this.#storage.builder
        .updateTable('channel')
        .set({ deleted_at: now, people: null })
        .where('id', '=', id)
      if ((await this.#storage.run(hidden.where('deleted_at', 'is', null))) === 0) return false
      await this.#storage.deletions.begin('channel', id, name)
      return true
    })
  }

  /** Groups and conversations without members. */
  async abandoned(): Promise<ChannelRow[]> {
    return this.#storage.all(
      existing(this.#storage)
        .selectAll()
        .where('type', 'is not', null)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('channel_member as m')
                .select('m.id')
                .whereRef('m.channel_id', '=', 'channel.id'),
            ),
          ),
        ),
    )
  }

  async members(channelId: string): Promise<MemberRow[]> {
    return this.#storage.all(
      this.#membersOf(channelId).selectAll().orderBy('joined_at').orderBy('id'),
    )
  }

  async member(channelId: string, userId: string): Promise<MemberRow | null> {
    return (
      (await this.#storage.get(
        this.#membersOf(channelId).selectAll().where('user_id', '=', userId),
      )) ?? null
    )
  }

  async putMembers(rows: readonly MemberRow[]): Promise<void> {
    await this.#storage.transaction(() => mapInOrder(rows, (row) => this.#put(row)))
  }

  /** Resolves with those who were members. */
  async removeMembers(channelId: string, userIds: readonly string[]): Promise<string[]> {
    return this.#storage.transaction(async () => {
      const leaving = this.#membersOf(channelId).where('user_id', 'in', asList(userIds))
      const found = await this.#storage.all(leaving.select(['id', 'user_id', 'is_active']))
      await this.#storage.run(
        this.#storage.builder
          .deleteFrom('channel_member')
          .where('id', 'in', asList(found.map(({ id }) => id))),
      )
      return found.filter(({ is_active }) => is_active === 1).map(({ user_id }) => user_id)
    })
  }

  async setActive(
    channelId: string,
    userIds: readonly string[] | null,
    isActive: boolean,
    now: number,
  ): Promise<number> {
    const query = this.#storage.builder
      .updateTable('channel_member')
      .set({ is_active: isActive ? 1 : 0, left_at: isActive ? null : now, updated_at: now })
      .where('channel_id', '=', channelId)
      .where('is_active', '=', isActive ? 0 : 1)
    return this.#storage.run(
      userIds === null ? query : query.where('user_id', 'in', asList(userIds)),
    )
  }

  /**
   * Appoints the longest-standing member as manager in groups that have lost their last manager, or
   * in the one given group; resolves with the ids of those groups.
   */
  async appointManagers(now: number, only: string | null = null): Promise<string[]> {
    return this.#storage.transaction(async () => {
      const orphans =
        only === null
          ? this.#groupsWithoutManager
          : this.#groupsWithoutManager.where('id', '=', only)
      return flatMapInOrder(await this.#storage.all(orphans), async ({ id }) => {
        const oldest = await this.#storage.get(
          this.#membersOf(id)
            .select('id')
            .where('is_active', '=', 1)
            .orderBy('joined_at')
            .orderBy('id')
            .limit(1),
        )
        if (!oldest) return []
        await this.#storage.update('channel_member', oldest.id, {
          role: 'manager',
          updated_at: now,
        })
        return [id]
      })
    })
  }

  async mark(channelId: string, userId: string): Promise<number | null> {
    const marks = this.#storage.builder.selectFrom('channel_mark').select('last_read_at')
    return (
      (
        await this.#storage.get(
          marks.where('user_id', '=', userId).where('channel_id', '=', channelId),
        )
      )?.last_read_at ?? null
    )
  }

  async marksOf(
    channelId: string,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const marks = this.#storage.builder
      .selectFrom('channel_mark')
      .select(['user_id', 'last_read_at'])
      .where('channel_id', '=', channelId)
    const rows = await this.#storage.all(marks.where('user_id', 'in', asList(userIds)))
    return new Map(rows.map(({ user_id, last_read_at }) => [user_id, last_read_at]))
  }

  async setMark(channelId: string, userId: string, time: number): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('channel_mark')
        .values({ user_id: userId, channel_id: channelId, last_read_at: time })
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'channel_id']).doUpdateSet({ last_read_at: time }),
        ),
    )
  }

  async unread(channelId: string, userId: string, since: number): Promise<Unread> {
    return {
      messages: (await this.#unread.get(channelId, since, userId, MOST_UNREAD))!.count,
      mentions: (await this.#mentions.get(userId, channelId, since, MOST_UNREAD))!.count,
    }
  }

  async firstUnread(channelId: string, userId: string, since: number): Promise<string | null> {
    return (await this.#firstUnread.get(channelId, since, userId))?.id ?? null
  }

  /**
   * Returns the states of channels for a reader who has neither read nor joined any of them before
   * a time.
   */
  async readings(
    userId: string,
    channelIds: readonly string[],
    before: number,
  ): Promise<ReadonlyMap<string, Reading>> {
    const found = new Map<string, Reading>()
    for (const some of inGroups(channelIds, CHANNELS_AT_ONCE)) {
      const counts = [userId, MOST_UNREAD, userId, MOST_UNREAD] as const
      const ids = JSON.stringify(some)
      for (const row of await this.#readings.all(...counts, before, ids, userId, userId))
        found.set(row.id, row)
    }
    return found
  }

  /** Returns the members of several channels, those of each in the order in which they joined. */
  async membersOfSeveral(channelIds: readonly string[]): Promise<ReadonlyMap<string, MemberRow[]>> {
    const rows = await mapInOrder(inGroups(channelIds, CHANNELS_AT_ONCE), (some) =>
      this.#storage.all(
        this.#storage.builder
          .selectFrom('channel_member')
          .selectAll()
          .where('channel_id', 'in', asList(some))
          .orderBy('joined_at')
          .orderBy('id'),
      ),
    )
    return Map.groupBy(rows.flat(), (row) => row.channel_id)
  }

  #membersOf(channelId: string) {
    return this.#storage.builder.selectFrom('channel_member').where('channel_id', '=', channelId)
  }

  async #put(row: MemberRow): Promise<void> {
    const { role, is_active, invited_at, invited_by, joined_at, left_at, updated_at } = row
    const changes = { role, is_active, invited_at, invited_by, joined_at, left_at, updated_at }
    const insert = this.#storage.builder.insertInto('channel_member').values(row)
    await this.#storage.run(
      insert.onConflict((conflict) =>
        conflict.columns(['channel_id', 'user_id']).doUpdateSet(changes),
      ),
    )
  }
}
