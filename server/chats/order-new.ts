import type { LinkPlan } from './link-resolution.ts'
import type { MentionedMessage } from './parse-message.ts'

/** New messages with parents before children and siblings in the order their parent lists them. */
export function orderNew(
  added: readonly MentionedMessage[],
  mentioned: ReadonlyMap<string, MentionedMessage>,
  plan: LinkPlan,
): MentionedMessage[] {
  const isNew = new Set(added.map((message) => message.id))
  const byParent = Map.groupBy(added, (message) => plan.parents.get(message.id) ?? null)
  for (const [parentId, siblings] of byParent) {
    const listed = parentId === null ? undefined : mentioned.get(parentId)?.childrenIds
    if (!listed || siblings.length < 2) continue
    const place = new Map(listed.map((id, index) => [id, index]))
    siblings.sort((one, other) => (place.get(one.id) ?? listed.length) - (place.get(other.id) ?? listed.length))
  }
  const ordered: MentionedMessage[] = []
  const stack = [...byParent].flatMap(([parentId, siblings]) => (parentId !== null && isNew.has(parentId) ? [] : siblings)).reverse()
  for (let message = stack.pop(); message; message = stack.pop()) {
    ordered.push(message)
    for (const child of byParent.get(message.id)?.toReversed() ?? []) stack.push(child)
  }
  return ordered
}
