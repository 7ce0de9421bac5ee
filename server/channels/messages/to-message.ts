import { flatMapInOrder } from '../../lib/in-order.ts'
import type {
  ChannelAuthor,
  ChannelMessage,
  ChannelReaction,
  ListedMessage,
} from '#contract/channel-messages.ts'
import { nextTurn, SLICE_MILLISECONDS } from '../../lib/turns.ts'
import type { Tasks } from '../../tasks/index.ts'
import type { Users } from '../../users/index.ts'
import { toNanoseconds, toNanosecondsOrNull } from './clock.ts'
import type { FileLink, MessageRow, MessageStore } from './message-store.ts'
import type { Fields } from '../../lib/is-record.ts'

/** Maximum number of different reactions to a message. */
export const MOST_REACTIONS = 50
const REACTORS_SHOWN = 100
/** Number of characters of a message shown where another one quotes it. */
const QUOTE = 500

/** Rows of other tables that belong to messages. */
interface Along {
  readonly files: ReadonlyMap<number, readonly FileLink[]>
  readonly withReactions: ReadonlySet<number>
}

const parse = (text: string | null): Fields | null =>
  text === null ? null : (JSON.parse(text) as Fields)

/** Fields of `meta` that only the gateway sets; values that clients send for them are dropped. */
const RESERVED = ['webhook', 'model_id', 'model_name', 'done', 'task_id', 'error'] as const

export const withoutReserved = (meta: Fields): Fields =>
  Object.fromEntries(
    Object.entries(meta).filter(([name]) => !(RESERVED as readonly string[]).includes(name)),
  )

/** Returns the key under which runs of models are found among the tasks. */
export const taskPlaceOf = (channelId: string): string => `channel:${channelId}`

export const webhookImageOf = (id: string, version: number | null): string =>
  `/api/v1/channels/webhooks/${id}/profile/image${version === null ? '' : `?version=${version}`}`

/** Builds messages as they are sent, for one reader or, without one, for all. */
export class MessageWriter {
  readonly #store: MessageStore
  readonly #users: Users
  readonly #tasks: Pick<Tasks, 'ofChat'>

  constructor({
    store,
    users,
    tasks,
  }: {
    store: MessageStore
    users: Users
    tasks: Pick<Tasks, 'ofChat'>
  }) {
    this.#store = store
    this.#users = users
    this.#tasks = tasks
  }

  async author({
    user_id,
    webhook_id,
    webhook_name,
    identity,
  }: MessageRow): Promise<ChannelAuthor> {
    if (webhook_id !== null) {
      const known = {
        id: webhook_id,
        role: 'webhook' as const,
        profile_image_url: webhookImageOf(webhook_id, webhook_name === null ? null : identity),
      }
      return webhook_name === null
        ? { ...known, name: 'Deleted webhook', is_deleted: true }
        : { ...known, name: webhook_name }
    }
    const user = await this.#users.get(user_id)
    return user && { id: user.id, name: user.name, profile_image_url: user.profile_image_url }
  }

  async whole(row: MessageRow, readerId: string | null): Promise<ChannelMessage> {
    const along = await this.#along([row])
    return { ...(await this.#common(row, along, readerId)), data: parse(row.data) }
  }

  /** In short steps, because each message may have many reactions. */
  async list(rows: readonly MessageRow[], readerId: string): Promise<ListedMessage[]> {
    const along = await this.#along(rows)
    const listed: ListedMessage[] = []
    let end = performance.now() + SLICE_MILLISECONDS
    for (const row of rows) {
      listed.push({
        ...(await this.#common(row, along, readerId)),
        data: row.data !== null && row.data !== '{}',
      })
      if (performance.now() < end) continue
      await nextTurn()
      end = performance.now() + SLICE_MILLISECONDS
    }
    return listed
  }

  /** Reads what belongs to several messages in one statement each. */
  async #along(rows: readonly MessageRow[]): Promise<Along> {
    const seqs = rows.map(({ seq }) => seq)
    await this.#users.readAhead(rows.map((row) => row.user_id))
    return {
      files: await this.#store.filesOf(seqs),
      withReactions: await this.#store.withReactions(seqs),
    }
  }

  async #common(
    row: MessageRow,
    along: Along,
    readerId: string | null,
  ): Promise<Omit<ListedMessage, 'data'>> {
    const {
      id,
      user_id,
      channel_id,
      reply_to_id,
      parent_id,
      pinned_at,
      pinned_by,
      content,
      reply_count,
    } = row
    const files = along.files.get(row.seq) ?? []
    return {
      id,
      user_id,
      channel_id,
      reply_to_id,
      parent_id,
      is_pinned: pinned_at !== null,
      pinned_by,
      pinned_at: toNanosecondsOrNull(pinned_at),
      content,
      meta: this.#meta(row),
      created_at: toNanoseconds(row.created_at),
      updated_at: toNanoseconds(row.updated_at),
      edited_at: toNanosecondsOrNull(row.edited_at),
      user: await this.author(row),
      files: files.map(({ file_id, name, content_type, size }) => ({
        id: file_id,
        name,
        content_type,
        size,
      })),
      latest_reply_at: toNanosecondsOrNull(row.latest_reply_at),
      reply_count,
      reactions: along.withReactions.has(row.seq) ? await this.#reactions(row.seq, readerId) : [],
      reply_to_message: await this.#quoted(row),
    }
  }

  #meta(row: MessageRow): ListedMessage['meta'] {
    const meta = parse(row.meta)
    if (row.webhook_id !== null) return { ...meta, webhook: { id: row.webhook_id } }
    if (row.model_id === null) return meta
    const { model_id, model_name, done, error } = row
    const task =
      done === 1
        ? null
        : this.#tasks
            .ofChat(taskPlaceOf(row.channel_id))
            .find(({ messageId }) => messageId === row.id)
    return {
      ...meta,
      model_id,
      model_name: model_name ?? model_id,
      done: done === 1,
      ...(task && { task_id: task.id }),
      ...(error !== null && { error: { content: error } }),
    }
  }

  async #quoted({
    channel_id,
    reply_to_id,
  }: MessageRow): Promise<ListedMessage['reply_to_message']> {
    const row = reply_to_id === null ? null : await this.#store.get(channel_id, reply_to_id)
    if (!row) return null
    const { id, user_id, content, created_at } = row
    return {
      id,
      user_id,
      channel_id,
      content: content.slice(0, QUOTE),
      meta: this.#meta(row),
      created_at: toNanoseconds(created_at),
      user: await this.author(row),
    }
  }

  async #reactions(seq: number, readerId: string | null): Promise<ChannelReaction[]> {
    const names = await this.#store.reactionNames(seq, MOST_REACTIONS)
    return Promise.all(
      names.map(async ({ name, count }) => {
        const ids = await this.#store.reactors(seq, name, REACTORS_SHOWN)
        const isLeftOut = readerId !== null && count > ids.length && !ids.includes(readerId)
        if (isLeftOut && (await this.#store.hasReacted(seq, name, readerId))) ids.unshift(readerId)
        const users = await flatMapInOrder(ids, async (id) => {
          const user = await this.#users.get(id)
          return user ? [{ id, name: user.name }] : []
        })
        return { name, users, count }
      }),
    )
  }
}
