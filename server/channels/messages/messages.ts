import {
  LARGEST_MESSAGE_PAGE,
  type ChannelMessage,
  type ListedMessage,
  type MessageInput,
  type MessageListQuery,
  type MessageUpdate,
} from '#contract/channel-messages.ts'
import type { ChannelEvent } from '#contract/channel-events.ts'
import { badRequest, forbidden, notFound } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import type { ChannelRow } from '../channel-store.ts'
import type { MessageRow, Slice } from './message-store.ts'
import { actorOf, toStoredFields, type ChannelParts } from '../parts.ts'
import { findFiles, findWords, postMessage, tellParent } from './post-message.ts'
import type { Standing } from '../rights.ts'
import { MOST_REACTIONS, withoutReserved, taskPlaceOf } from './to-message.ts'
import type { Fields } from '../../lib/is-record.ts'

const PAGE = 50

type Found = Standing & { readonly row: MessageRow }
const missing = () => notFound('There is no such message in this channel.')
const merge = (stored: string | null, changes: Fields | null | undefined): Fields | null =>
  changes == null
    ? stored === null
      ? null
      : (JSON.parse(stored) as Fields)
    : { ...(JSON.parse(stored ?? '{}') as Fields), ...changes }

type BeginAnswers = (caller: Caller, channel: ChannelRow, question: MessageRow) => Promise<void>

/** Messages of channels, for those who may read them. */
export class Messages {
  readonly #parts: ChannelParts
  /** Starts the answers of the models a message mentions. */
  readonly #answer: BeginAnswers

  constructor(parts: ChannelParts, answer: BeginAnswers) {
    this.#parts = parts
    this.#answer = answer
  }

  async #require(
    caller: Caller,
    channelId: string,
    id: string,
    need: 'read' | 'write' = 'read',
  ): Promise<Found> {
    const standing = await this.#parts.rights.require(caller, channelId, need)
    const row = await this.#parts.messages.get(channelId, id)
    if (!row) throw missing()
    return { ...standing, row }
  }

  /** Reads the part of a list that a query names; `read` reads one slice of it. */
  async #read(
    channelId: string,
    query: MessageListQuery,
    read: (slice: Slice) => Promise<MessageRow[]>,
  ): Promise<MessageRow[]> {
    const { skip, limit: given = PAGE, before, after, around } = query
    const limit = given === -1 ? LARGEST_MESSAGE_PAGE : Math.min(given, LARGEST_MESSAGE_PAGE)
    const beside = before ?? after ?? around
    if (beside === undefined) return read({ limit, ...(skip !== undefined && { skip }) })
    const row = await this.#parts.messages.get(channelId, beside)
    if (!row) throw missing()
    const time = row.created_at
    if (before !== undefined) return read({ limit, before: time })
    if (after !== undefined) return read({ limit, after: time })
    const newer = await read({ limit: Math.floor(limit / 2), after: time })
    return [...newer, ...(await read({ limit: Math.ceil(limit / 2), before: time + 1 }))]
  }

  async list(caller: Caller, channelId: string, query: MessageListQuery): Promise<ListedMessage[]> {
    await this.#parts.rights.require(caller, channelId, 'read')
    const rows = await this.#read(channelId, query, (slice) =>
      this.#parts.messages.list(channelId, slice),
    )
    return this.#parts.writer.list(rows, caller.userId)
  }

  /**
   * Replies, newest first, with the parent message itself after the oldest; empty if the message
   * does not exist.
   */
  async thread(
    caller: Caller,
    channelId: string,
    id: string,
    query: MessageListQuery,
  ): Promise<ListedMessage[]> {
    await this.#parts.rights.require(caller, channelId, 'read')
    const parent = await this.#parts.messages.get(channelId, id)
    if (!parent) return []
    const rows = await this.#read(channelId, query, (slice) =>
      this.#parts.messages.thread(id, slice),
    )
    const hasAll =
      query.limit !== 0 &&
      query.after === undefined &&
      (rows.length === 0 || rows.length + (query.skip ?? 0) >= parent.reply_count)
    return this.#parts.writer.list(hasAll ? [...rows, parent] : rows, caller.userId)
  }

  async pinned(caller: Caller, channelId: string, page: number): Promise<ListedMessage[]> {
    await this.#parts.rights.require(caller, channelId, 'read')
    return this.#parts.writer.list(
      await this.#parts.messages.pinned(channelId, page),
      caller.userId,
    )
  }

  async get(caller: Caller, channelId: string, id: string): Promise<ChannelMessage> {
    const { row } = await this.#require(caller, channelId, id)
    return this.#parts.writer.whole(row, caller.userId)
  }

  async data(caller: Caller, channelId: string, id: string): Promise<ChannelMessage['data']> {
    return (await this.get(caller, channelId, id)).data
  }

  async post(caller: Caller, channelId: string, input: MessageInput): Promise<ChannelMessage> {
    const { channel, row, whole } = await postMessage(this.#parts, caller, channelId, input)
    await this.#answer(caller, channel, row)
    return whole
  }

  /**
   * Publishes the new state of a message, unless it was deleted meanwhile, and returns it for the
   * caller.
   */
  async #tell(
    caller: Caller,
    { channel, row }: Found,
    toEvent: (data: ChannelMessage) => ChannelEvent,
  ): Promise<ChannelMessage> {
    const { audience, messages, writer } = this.#parts
    const now = await messages.get(channel.id, row.id)
    if (!now) throw missing()
    await audience.tell(channel, toEvent(await writer.whole(now, null)), {
      actor: actorOf(caller),
      messageId: row.id,
    })
    return writer.whole(now, caller.userId)
  }

  async update(
    caller: Caller,
    channelId: string,
    id: string,
    { content, data, meta }: MessageUpdate,
  ): Promise<ChannelMessage> {
    const { storage } = this.#parts
    await this.#require(caller, channelId, id, 'write')
    const words = await findWords(content)
    const found = await storage.transaction(async () => {
      const current = await this.#require(caller, channelId, id, 'write')
      await this.#write(caller, current, { content, data, meta, words })
      return current
    })
    return this.#tell(caller, found, (whole) => ({ type: 'message:update', data: whole }))
  }

  /** Must be called within a transaction, with the message as read there. */
  async #write(
    caller: Caller,
    { row }: Found,
    { content, data, meta, words }: MessageUpdate & { readonly words: string },
  ): Promise<void> {
    const { clock, messages } = this.#parts
    const isOwn = row.user_id === caller.userId && row.webhook_id === null
    if (!isOwn && caller.role !== 'admin')
      throw forbidden('Only its author can edit a message.', { code: 'not_permitted' })
    if (row.done === 0) throw badRequest('The model is still writing this message. Stop it first.')
    const merged = merge(row.data, data)
    const files =
      data == null
        ? undefined
        : await findFiles(
            this.#parts,
            caller,
            merged,
            (await messages.filesOf([row.seq])).get(row.seq),
          )
    const now = clock.now()
    const changes = {
      content,
      data: toStoredFields(merged, 'The message'),
      meta: toStoredFields(merge(row.meta, meta && withoutReserved(meta)), 'The message'),
      updated_at: now,
      ...(content !== row.content && { edited_at: now }),
    }
    await messages.update(row.id, changes, { words, ...(files && { files }) })
  }

  async pin(
    caller: Caller,
    channelId: string,
    id: string,
    isPinned: boolean,
  ): Promise<ListedMessage> {
    const { clock, messages, writer } = this.#parts
    const found = await this.#require(caller, channelId, id, 'write')
    if ((found.row.pinned_at !== null) !== isPinned) {
      await messages.update(id, {
        pinned_at: isPinned ? clock.now() : null,
        pinned_by: isPinned ? caller.userId : null,
      })
      await this.#tell(caller, found, (data) => ({ type: 'message:pin', data }))
    }
    const row = await messages.get(channelId, id)
    if (!row) throw missing()
    return (await writer.list([row], caller.userId))[0]!
  }

  async react(caller: Caller, channelId: string, id: string, name: string): Promise<void> {
    const { clock, messages } = this.#parts
    const found = await this.#require(caller, channelId, id, 'write')
    const { seq } = found.row
    const names = await messages.reactionNames(seq, MOST_REACTIONS)
    if (names.length === MOST_REACTIONS && !names.some((known) => known.name === name)) {
      throw badRequest(
        `A message can have ${MOST_REACTIONS} different reactions. Use one that is there.`,
      )
    }
    const isNew = await messages.addReaction({
      message_seq: seq,
      name,
      user_id: caller.userId,
      created_at: clock.now(),
    })
    if (isNew)
      await this.#tell(caller, found, (data) => ({ type: 'message:reaction:add', data, name }))
  }

  async takeBack(caller: Caller, channelId: string, id: string, name: string): Promise<void> {
    const found = await this.#require(caller, channelId, id, 'write')
    const wasThere = await this.#parts.messages.removeReaction(found.row.seq, name, caller.userId)
    if (wasThere)
      await this.#tell(caller, found, (data) => ({ type: 'message:reaction:remove', data, name }))
  }

  async remove(caller: Caller, channelId: string, id: string): Promise<void> {
    const { audience, messages, tasks, writer } = this.#parts
    const { channel, row, isManager } = await this.#require(caller, channelId, id, 'write')
    const isOwn = row.user_id === caller.userId && row.webhook_id === null
    if (!isOwn && !isManager && caller.role !== 'admin') {
      throw forbidden('Only its author and managers of the channel can delete a message.', {
        code: 'not_permitted',
      })
    }
    const whole = await writer.whole(row, null)
    if (!(await messages.remove(id))) throw missing()
    tasks.stopChat(taskPlaceOf(channelId), 'deleted', id)
    const about = { actor: actorOf(caller) }
    await audience.tell(
      channel,
      { type: 'message:delete', data: whole },
      { ...about, messageId: id },
    )
    await tellParent(this.#parts, channel, row, about)
  }
}
