import { eachInSteps } from '../../lib/turns.ts'
import type { LinkPlan } from './link-resolution.ts'
import type { MentionedMessage } from './parse-message.ts'

/**
 * Orders new messages with parents before children and siblings in the order of their parent's
 * list, in short steps.
 */
export function* orderNew(
  added: ReadonlyMap<string, MentionedMessage>,
  mentioned: ReadonlyMap<string, MentionedMessage>,
  plan: LinkPlan,
): Generator<void, MentionedMessage[]> {
  const byParent = new Map<string | null, MentionedMessage[]>()
  yield* eachInSteps(added.values(), (message) => {
    const parentId = plan.parents.get(message.id) ?? null
    const siblings = byParent.get(parentId)
    if (siblings) siblings.push(message)
    else byParent.set(parentId, [message])
  })
  const stack: MentionedMessage[] = []
  yield* eachInSteps(byParent, ([parentId, siblings]) => {
    sortAsListed(siblings, parentId === null ? undefined : mentioned.get(parentId)?.childrenIds)
    if (parentId === null || !added.has(parentId))
      for (const message of siblings) stack.push(message)
  })
  stack.reverse()
  const ordered: MentionedMessage[] = []
  for (let message = stack.pop(); message; message = stack.pop()) {
    ordered.push(message)
    for (const child of byParent.get(message.id)?.toReversed() ?? []) stack.push(child)
    yield
  }
  return ordered
}

function sortAsListed(siblings: MentionedMessage[], listed: readonly string[] | undefined): void {
  if (!listed || siblings.length < 2) return
  const place = new Map(listed.map((id, index) => [id, index]))
  siblings.sort(
    (one, other) => (place.get(one.id) ?? listed.length) - (place.get(other.id) ?? listed.length),
  )
}
