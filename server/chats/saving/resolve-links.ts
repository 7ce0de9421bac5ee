import { badRequest } from '../../lib/errors.ts'
import { eachAwaitedInSteps, eachInSteps } from '../../lib/turns.ts'
import { breakCircles } from './break-circles.ts'
import { parentSoFar, type LinkPlan, type Resolution, type StoredLinks } from './link-resolution.ts'
import type { MentionedMessage } from './parse-message.ts'

const quote = (id: string): string => JSON.stringify(id)

const isKnown = async ({ mentioned, stored }: Resolution, id: string): Promise<boolean> =>
  mentioned.has(id) || (await stored.parentOf(id)) !== undefined

/**
 * Resolves every link of the mentioned messages, in short steps; the effort grows with the number
 * of mentioned messages, not with the chat.
 */
export async function* resolveLinks(
  mentioned: ReadonlyMap<string, MentionedMessage>,
  stored: StoredLinks,
  repairs: string[],
): AsyncGenerator<void, LinkPlan> {
  const resolution: Resolution = {
    mentioned,
    stored: { ...stored, parentOf: createMemo((id) => stored.parentOf(id)) },
    repairs,
    parents: new Map(),
    concluded: new Set(),
    expected: [],
    listedBy: yield* collectListings(mentioned),
  }
  yield* eachAwaitedInSteps(mentioned.values(), async (message) => {
    const parentId = await chooseParent(resolution, message)
    if (parentId !== (await resolution.stored.parentOf(message.id)))
      resolution.parents.set(message.id, parentId)
  })
  yield* adoptAnswer(resolution)
  for (const message of mentioned.values()) {
    yield* eachAwaitedInSteps(message.childrenIds ?? [], (childId) =>
      linkChild(resolution, message.id, childId),
    )
    yield
  }
  yield* breakCircles(resolution)
  return resolution
}

function createMemo<Value>(compute: (id: string) => Value): (id: string) => Value {
  const known = new Map<string, Value>()
  return (id) => {
    if (!known.has(id)) known.set(id, compute(id))
    return known.get(id)!
  }
}

function* collectListings(
  mentioned: ReadonlyMap<string, MentionedMessage>,
): Generator<void, Map<string, string>> {
  const listedBy = new Map<string, string>()
  for (const message of mentioned.values()) {
    yield* eachInSteps(message.childrenIds ?? [], (childId) => {
      if (childId !== message.id && !listedBy.has(childId)) listedBy.set(childId, message.id)
    })
    yield
  }
  return listedBy
}

/**
 * Infers a parent that was not given explicitly: from child lists, or from the position in a flat
 * list.
 */
async function concludeParent(
  resolution: Resolution,
  message: MentionedMessage,
): Promise<string | null> {
  const { stored, listedBy, concluded } = resolution
  const follows = message.previous === null ? stored.currentId : (message.previous ?? null)
  const parentId =
    listedBy.get(message.id) ??
    (await stored.expectedBy(message.id)) ??
    (message.parentId === undefined && (await stored.parentOf(message.id)) === undefined
      ? follows
      : null)
  if (parentId === null || parentId === message.id || !(await isKnown(resolution, parentId)))
    return null
  concluded.add(message.id)
  return parentId
}

async function chooseParent(
  resolution: Resolution,
  message: MentionedMessage,
): Promise<string | null> {
  const { id, parentId } = message
  const { stored, repairs } = resolution
  const before = await stored.parentOf(id)
  if (typeof parentId === 'string' && parentId !== id && (await isKnown(resolution, parentId)))
    return parentId

  const found = before ?? (await concludeParent(resolution, message))
  if (parentId === id) repairs.push(`The message ${quote(id)} named itself as its parent.`)
  else if (typeof parentId === 'string') {
    if (found === null && before === undefined) {
      throw badRequest(
        `The message ${quote(id)} names the parent ${quote(parentId)}, which is not in this chat.`,
      )
    }
    repairs.push(
      `The parent ${quote(parentId)} of the message ${quote(id)} is not in this chat; the known place was kept.`,
    )
  } else if (parentId === null && found !== null) {
    repairs.push(`The message ${quote(id)} came without a parent; it follows ${quote(found)}.`)
  }
  return found
}

async function linkChild(resolution: Resolution, parentId: string, childId: string): Promise<void> {
  const { mentioned, parents, concluded, expected, repairs } = resolution
  if (childId === parentId) {
    repairs.push(`The message ${quote(parentId)} listed itself as its child.`)
  } else if (!(await isKnown(resolution, childId))) {
    expected.push({ parentId, childId })
  } else if ((await parentSoFar(resolution, childId)) === null && !mentioned.has(childId)) {
    parents.set(childId, parentId)
    concluded.add(childId)
    repairs.push(`The message ${quote(childId)} had no parent; it follows ${quote(parentId)} now.`)
  } else if ((await parentSoFar(resolution, childId)) !== parentId) {
    repairs.push(
      `The message ${quote(childId)} was listed under ${quote(parentId)} but stands elsewhere; it stays there.`,
    )
  }
}

/**
 * Attaches a new answer without a parent to the new question if exactly one new question has no
 * answer.
 */
function* adoptAnswer({
  mentioned,
  parents,
  listedBy,
  concluded,
  repairs,
}: Resolution): Generator<void, void> {
  const roots: MentionedMessage[] = []
  const followed = new Set<string | null>()
  yield* eachInSteps(parents, ([id, parentId]) => {
    followed.add(parentId)
    const root = parentId === null ? mentioned.get(id) : undefined
    if (root) roots.push(root)
  })
  yield* eachInSteps(listedBy.values(), (parentId) => followed.add(parentId))
  const answers = roots.filter((message) => message.role === 'assistant')
  const questions = roots.filter((message) => message.role === 'user' && !followed.has(message.id))
  const [answer, question] = [answers[0], questions[0]]
  if (!answer || !question || answers.length > 1 || questions.length > 1) return
  parents.set(answer.id, question.id)
  concluded.add(answer.id)
  repairs.push(
    `The answer ${quote(answer.id)} had no parent; it follows ${quote(question.id)} now.`,
  )
}
