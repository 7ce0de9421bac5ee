import type { ChatMessage } from '../chat-store.ts'

/**
 * Returns the ids of the messages that contain a text, in the order of the branch.
 * Case-insensitive.
 */
export function findMessages(
  order: readonly string[],
  messages: Readonly<Record<string, ChatMessage>>,
  query: string,
): string[] {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return []
  return order.filter((id) => messages[id]?.content.toLowerCase().includes(wanted))
}

/** Returns every match of a text inside an element, including those that span inner elements. */
export function findRanges(root: Node, query: string): Range[] {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const nodes: { node: Node; start: number }[] = []
  let text = ''
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    nodes.push({ node, start: text.length })
    text += node.nodeValue ?? ''
  }
  const lower = text.toLowerCase()
  // A few letters change their length with their case, so positions could not be mapped.
  if (lower.length !== text.length) return []
  const placeOf = (at: number) => {
    const found = nodes.findLast(({ start }) => start <= at)!
    return { node: found.node, offset: at - found.start }
  }
  const ranges: Range[] = []
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
    const [start, end] = [placeOf(at), placeOf(at + wanted.length - 1)]
    const range = document.createRange()
    range.setStart(start.node, start.offset)
    range.setEnd(end.node, end.offset + 1)
    ranges.push(range)
  }
  return ranges
}
