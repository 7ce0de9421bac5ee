import { call, endpoints } from '../../api/client.ts'
import { changeEverywhere, type Room, timelinesOf } from './room.ts'
import { type ShownMessage, toShown } from './shown-message.ts'
import { dropMessage } from './timeline.ts'

const paramsOf = (room: Room, message: ShownMessage) => ({
  channel_id: room.channelId,
  message_id: message.id,
})

/** Edits the text of a message. */
export async function editMessage(
  room: Room,
  message: ShownMessage,
  content: string,
): Promise<void> {
  const stored = toShown(
    await call(endpoints.channels.updateMessage, {
      params: paramsOf(room, message),
      body: { content },
    }),
  )
  changeEverywhere(room, message.id, (known) => ({ ...known, ...stored }))
}

export async function deleteMessage(room: Room, message: ShownMessage): Promise<void> {
  await call(endpoints.channels.removeMessage, { params: paramsOf(room, message) })
  for (const timeline of timelinesOf(room)) dropMessage(timeline, message.id)
}

export async function pinMessage(
  room: Room,
  message: ShownMessage,
  isPinned: boolean,
): Promise<void> {
  const stored = toShown(
    await call(endpoints.channels.pin, {
      params: paramsOf(room, message),
      body: { is_pinned: isPinned },
    }),
  )
  changeEverywhere(room, message.id, (known) => ({ ...known, ...stored }))
}

interface Person {
  readonly id: string
  readonly name: string
}

/** Returns the reactions after a user added or removed an emoji. */
export function withReaction(
  reactions: ShownMessage['reactions'],
  sign: string,
  person: Person,
  isAdded: boolean,
): ShownMessage['reactions'] {
  const known = reactions.find(({ name }) => name === sign)
  const has = known?.users.some(({ id }) => id === person.id) ?? false
  if (has === isAdded) return reactions
  if (!known) return [...reactions, { name: sign, users: [person], count: 1 }]
  const users = isAdded
    ? [...known.users, person]
    : known.users.filter(({ id }) => id !== person.id)
  const changed = { name: sign, users, count: known.count + (isAdded ? 1 : -1) }
  return reactions.flatMap((each) => (each !== known ? [each] : changed.count > 0 ? [changed] : []))
}

/** Adds or removes a reaction; shown immediately, and reverted if the gateway refuses. */
export async function toggleReaction(
  room: Room,
  message: ShownMessage,
  sign: string,
  person: Person,
): Promise<void> {
  const hadIt = message.reactions.some(
    ({ name, users }) => name === sign && users.some(({ id }) => id === person.id),
  )
  const show = (isAdded: boolean): void =>
    changeEverywhere(room, message.id, (known) => ({
      ...known,
      reactions: withReaction(known.reactions, sign, person, isAdded),
    }))
  show(!hadIt)
  const endpoint = hadIt ? endpoints.channels.removeReaction : endpoints.channels.addReaction
  try {
    await call(endpoint, { params: paramsOf(room, message), body: { name: sign } })
  } catch (thrown) {
    show(hadIt)
    throw thrown
  }
}
