import { mapInOrder, filterInOrder } from '../../lib/in-order.ts'
import type { ChannelActor } from '#contract/channel-events.ts'
import { MENTION, type ChannelMessage, type MessageInput } from '#contract/channel-messages.ts'
import { forbidden, notFound } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { newId } from '../../lib/ids.ts'
import { toBoundedIndexText } from '../../lib/text/index-text.ts'
import { isRecord } from '../../lib/is-record.ts'
import { runInTurns } from '../../lib/turns.ts'
import type { ChannelRow } from '../channel-store.ts'
import type { FileLink, MessageRow, NewMessage } from './message-store.ts'
import { toStoredFields, type ChannelParts } from '../parts.ts'
import { withoutReserved } from './to-message.ts'

/** Maximum number of users and of models one message can mention. */
const MOST_MENTIONS = 50
const MOST_MODELS = 4
const MOST_FILES = 50

/** Returns the ids of one kind that a text mentions, without duplicates. */
export function mentionsIn(text: string, kind: '@U' | '@M'): string[] {
  const ids = new Set<string>()
  for (const [, sign, id] of text.matchAll(MENTION))
    if (sign === kind && id !== undefined) ids.add(id)
  return [...ids].slice(0, kind === '@U' ? MOST_MENTIONS : MOST_MODELS)
}

export const findWords = (text: string): Promise<string> => runInTurns(toBoundedIndexText(text))

/**
 * Returns the files that `data` names. Attaching a file gives the channel access to it, so the file
 * must belong to the author.
 */
export async function findFiles(
  { files }: ChannelParts,
  caller: Caller,
  data: unknown,
  known: readonly FileLink[] = [],
): Promise<FileLink[]> {
  const listed = isRecord(data) && Array.isArray(data['files']) ? (data['files'] as unknown[]) : []
  const ids = new Set(
    listed.flatMap((entry) =>
      isRecord(entry) && typeof entry['id'] === 'string' ? [entry['id']] : [],
    ),
  )
  return await mapInOrder([...ids].slice(0, MOST_FILES), async (id) => {
    const attached = known.find(({ file_id }) => file_id === id)
    if (attached) return attached
    const found = await files.get(caller.userId, id)
    if (!found) throw notFound('One of the files to be attached does not exist.')
    if (found.user_id !== caller.userId) {
      throw forbidden(
        'You can read one of the attached files but not share it. Attach your own copy.',
        { code: 'not_permitted' },
      )
    }
    const { name, content_type, size } = found.meta
    return { file_id: id, name: name || found.filename, content_type, size }
  })
}

/** Data stored and published with a message besides its fields. */
interface Accompanying {
  readonly actor: Caller | null
  readonly files?: readonly FileLink[]
  readonly words: string | null
  readonly mentions?: readonly string[]
  readonly tempId?: string | null
}

/** Stores a message and publishes it to all readers of the channel. */
export async function publish(
  parts: ChannelParts,
  channel: ChannelRow,
  message: NewMessage,
  with_: Accompanying,
): Promise<MessageRow> {
  const { audience, messages, writer } = parts
  const { actor, files = [], words, mentions = [], tempId } = with_
  await messages.insert(message, { files, words, mentions })
  await revive(parts, channel)
  const row = (await messages.get(channel.id, message.id))!
  const whole = await writer.whole(row, null)
  const author = await writer.author(row)
  const about = {
    actor: author && {
      id: author.id,
      name: author.name,
      ...(author.role && { role: author.role }),
    },
    messageId: row.id,
  }
  await audience.tell(
    channel,
    { type: 'message', data: tempId == null ? whole : { ...whole, temp_id: tempId } },
    about,
  )
  if (mentions.length > 0) {
    const except = actor?.userId
    await audience.tell(
      channel,
      { type: 'mention', data: whole },
      { ...about, only: mentions, ...(except !== undefined && { except }) },
    )
  }
  await tellParent(parts, channel, row, about)
  return row
}

/** A hidden conversation reappears with its next message. */
async function revive(
  { store, members, audience, clock }: ChannelParts,
  channel: ChannelRow,
): Promise<void> {
  if (channel.type !== 'dm') return
  const before = await members.of(channel.id)
  if ((await store.setActive(channel.id, null, true, clock.now())) === 0) return
  members.forget(channel.id)
  const after = await members.of(channel.id)
  const back = [...after.keys()].filter((userId) => !before.has(userId))
  await audience.tell(channel, { type: 'channel:created', data: {} }, { actor: null, only: back })
}

/** Publishes the parent message of a thread, whose reply count has changed. */
export async function tellParent(
  { audience, messages, writer }: ChannelParts,
  channel: ChannelRow,
  { parent_id }: Pick<MessageRow, 'parent_id'>,
  about: { readonly actor: ChannelActor },
): Promise<void> {
  const parent = parent_id === null ? null : await messages.get(channel.id, parent_id)
  if (!parent) return
  await audience.tell(
    channel,
    { type: 'message:reply', data: await writer.whole(parent, null) },
    { ...about, messageId: parent.id },
  )
}

/** Returns the parent message of the thread that a reply belongs to: threads are not nested. */
async function findParent(
  { messages }: ChannelParts,
  channelId: string,
  id: string | null | undefined,
): Promise<string | null> {
  if (id == null) return null
  const parent = await messages.get(channelId, id)
  if (!parent) throw notFound('The message you reply to is no longer in this channel.')
  return parent.parent_id ?? parent.id
}

/** Posts a message of a user. */
export async function postMessage(
  parts: ChannelParts,
  caller: Caller,
  channelId: string,
  input: MessageInput,
): Promise<{ channel: ChannelRow; row: MessageRow; whole: ChannelMessage }> {
  const { clock, messages, rights, writer } = parts
  await rights.require(caller, channelId, 'write')
  const words = await findWords(input.content)
  // Permissions are checked again, because indexing a long text takes a while.
  const { channel } = await rights.require(caller, channelId, 'write')
  const parent_id = await findParent(parts, channelId, input.parent_id)
  if (input.reply_to_id != null && !(await messages.get(channelId, input.reply_to_id))) {
    throw notFound('The message you reply to is no longer in this channel.')
  }
  const now = clock.now()
  const message: NewMessage = {
    id: newId(),
    channel_id: channelId,
    user_id: caller.userId,
    parent_id,
    reply_to_id: input.reply_to_id ?? null,
    content: input.content,
    data: toStoredFields(input.data, 'The message'),
    meta: toStoredFields(input.meta && withoutReserved(input.meta), 'The message'),
    created_at: now,
    updated_at: now,
  }
  const row = await publish(parts, channel, message, {
    actor: caller,
    files: await findFiles(parts, caller, input.data),
    words,
    mentions: await filterInOrder(
      mentionsIn(input.content, '@U'),
      async (id) => (await parts.users.get(id)) !== null,
    ),
    tempId: input.temp_id,
  })
  return { channel, row, whole: await writer.whole(row, caller.userId) }
}
