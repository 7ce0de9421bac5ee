/** Messages drawn when a chat opens: enough for a tall window, few enough to be there at once. */
export const FIRST_MESSAGES = 8
const MORE_MESSAGES = 20
/** Beyond this many, going back to the end lets the older ones go again. */
const MOST_MESSAGES = 300

/** How many messages from the end have to be drawn so that one of them is among them. */
export function countToShow(order: readonly string[], messageId: string): number {
  const position = order.indexOf(messageId)
  return position < 0 ? FIRST_MESSAGES : Math.max(FIRST_MESSAGES, order.length - position + 4)
}

/** The next larger number; null when all of them are drawn. */
export const growCount = (count: number, total: number): number | null =>
  count < total ? Math.min(total, count + MORE_MESSAGES) : null

/** The number to draw again at the end of the chat. */
export const settleCount = (count: number): number =>
  count > MOST_MESSAGES ? FIRST_MESSAGES + MORE_MESSAGES : count

/** The ids to draw. */
export const toShown = (order: readonly string[], count: number): readonly string[] =>
  order.slice(-count)

/** How many messages came after one. */
export function countAfter(order: readonly string[], messageId: string | null): number {
  const position = messageId === null ? -1 : order.lastIndexOf(messageId)
  return position < 0 ? 0 : order.length - 1 - position
}
