import type { Message } from '#contract/chats.ts'
import { toChildren } from '../temporary-chat.ts'

/**
 * A message in the map of a chat. A message without siblings stays on its parent's level; versions
 * are indented one level further.
 */
export interface BranchRow {
  readonly id: string
  readonly role: string
  readonly text: string
  /** Number of branch points that lead to it. */
  readonly depth: number
  /** Position among the versions of its message; null if it is the only one. */
  readonly version: { readonly place: number; readonly total: number } | null
}

const EXCERPT = 90

function toExcerpt(text: string): string {
  const line = text
    .slice(0, 4 * EXCERPT)
    .trim()
    .replaceAll(/\s+/g, ' ')
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT).trimEnd()}…` : line
}

type Place = Pick<BranchRow, 'id' | 'depth' | 'version'>

const toPlaces = (ids: readonly string[], depth: number): Place[] =>
  ids.length > 1
    ? ids.map((id, index) => ({
        id,
        depth: depth + 1,
        version: { place: index + 1, total: ids.length },
      }))
    : ids.map((id) => ({ id, depth, version: null }))

/**
 * Returns every message of a chat, each branch as a run of rows below the message it starts from.
 */
export function toBranchRows(messages: Readonly<Record<string, Message>>): BranchRow[] {
  const children = toChildren(messages)
  const rows: BranchRow[] = []
  // A stack instead of recursion, since chats may be thousands of messages deep.
  const open = toPlaces(children.get(null) ?? [], 0).toReversed()
  for (let place = open.pop(); place; place = open.pop()) {
    const { role, content } = messages[place.id]!
    rows.push({ ...place, role, text: toExcerpt(content) })
    open.push(...toPlaces(children.get(place.id) ?? [], place.depth).toReversed())
  }
  return rows
}
