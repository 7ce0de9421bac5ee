/**
 * Number of messages rendered when a chat opens: enough for a tall window, few enough to render
 * instantly.
 */
export const FIRST_MESSAGES = 8
const MORE_MESSAGES = 20
/** Number of messages above which returning to the end removes the older ones again. */
const MOST_MESSAGES = 300

/**
 * Returns the number of messages, counted from the end, that must be rendered to include a given
 * one.
 */
export function countToShow(order: readonly string[], messageId: string): number {
  const position = order.indexOf(messageId)
  return position < 0 ? FIRST_MESSAGES : Math.max(FIRST_MESSAGES, order.length - position + 4)
}

/** Returns the next larger number; null if all messages are rendered. */
export const growCount = (count: number, total: number): number | null =>
  count < total ? Math.min(total, count + MORE_MESSAGES) : null

/** Returns the number of messages to render after returning to the end of the chat. */
export const settleCount = (count: number): number =>
  count > MOST_MESSAGES ? FIRST_MESSAGES + MORE_MESSAGES : count

/** Returns the ids to render. */
export const toShown = (order: readonly string[], count: number): readonly string[] =>
  order.slice(-count)

/** Returns the number of messages after a given one. */
export function countAfter(order: readonly string[], messageId: string | null): number {
  const position = messageId === null ? -1 : order.lastIndexOf(messageId)
  return position < 0 ? 0 : order.length - 1 - position
}
