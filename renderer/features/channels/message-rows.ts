import { authorKey, type ShownMessage, toTime } from './shown-message.ts'

/** A row of a message list. */
export type Row =
  | { readonly kind: 'day'; readonly key: string; readonly time: number }
  | { readonly kind: 'new'; readonly key: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: ShownMessage
      readonly isFollowing: boolean
    }

/** Maximum interval in ms between messages of one author that are grouped under one name. */
const CLOSE = 5 * 60_000

const dayOf = (message: ShownMessage): number =>
  new Date(toTime(message.created_at)).setHours(0, 0, 0, 0)

const follows = (message: ShownMessage, before: ShownMessage | undefined): boolean =>
  before !== undefined &&
  message.reply_to_id === null &&
  !message.is_pinned &&
  authorKey(message) === authorKey(before) &&
  toTime(message.created_at - before.created_at) < CLOSE

/** Groups messages by day and author, with a line above the first unread one. */
export function toRows(
  messages: readonly ShownMessage[],
  firstUnreadId: string | null,
): readonly Row[] {
  const rows: Row[] = []
  let before: ShownMessage | undefined
  for (const message of messages) {
    const day = dayOf(message)
    const isNewDay = before === undefined || dayOf(before) !== day
    const isNew = message.id === firstUnreadId
    if (isNewDay) rows.push({ kind: 'day', key: `day ${day}`, time: day })
    if (isNew) rows.push({ kind: 'new', key: 'new' })
    const key = message.sending?.tempId ?? message.id
    rows.push({
      kind: 'message',
      key,
      message,
      isFollowing: !isNewDay && !isNew && follows(message, before),
    })
    before = message
  }
  return rows
}
