import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatBodyInput, Message } from '#contract/chats.ts'
import { ServiceError } from '../../lib/errors.ts'
import { createTestChats } from '../../testing/create-test-chats.ts'

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', '__proto__', 'constructor']
const anyId = fc.constantFrom(...IDS)

interface ModelMessage {
  parentId: string | null
  fields: Record<string, unknown>
}

interface Step {
  id: string
  parent: number
  fields: { content?: string; favorite?: boolean; done?: boolean; annotation?: object }
}

/** One update that mentions a message; a new message follows one that exists by then. */
const step: fc.Arbitrary<Step> = fc.record({
  id: anyId,
  parent: fc.nat(10),
  fields: fc.record(
    {
      content: fc.string({ unit: 'grapheme' }),
      favorite: fc.boolean(),
      done: fc.boolean(),
      annotation: fc.dictionary(fc.string(), fc.integer()),
    },
    { requiredKeys: [] },
  ),
})

/** The simplest model of what a merge means. */
function applyToModel(
  model: Map<string, ModelMessage>,
  update: readonly Step[],
): [string, object][] {
  return update.map(({ id, parent, fields }) => {
    const known = model.get(id)
    if (known) {
      Object.assign(known.fields, fields)
      return [id, fields]
    }
    const parents = [null, ...model.keys()]
    const parentId = parents[parent % parents.length]!
    model.set(id, { parentId, fields: { content: '', ...fields } })
    return [id, { role: 'user', parentId, ...fields }]
  })
}

const toRecord = (entries: [string, object][]): Record<string, Record<string, unknown>> =>
  Object.fromEntries(entries) as Record<string, Record<string, unknown>>
const messagesOf = (body: { history: { messages: object } }) =>
  new Map(Object.entries(body.history.messages) as [string, Message][])

describe('merging', () => {
  it('any series of partial updates leaves what a plain field-wise merge leaves', async () => {
    const { chats, addUser } = await createTestChats()
    const owner = await addUser('owner')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uniqueArray(step, { selector: ({ id }) => id, maxLength: 4 }), {
          maxLength: 8,
        }),
        async (updates) => {
          const { id } = await chats.create(owner, { title: 'model' })
          const model = new Map<string, ModelMessage>()
          for (const update of updates)
            await chats.update(owner, id, {
              history: { messages: toRecord(applyToModel(model, update)) },
            })

          const stored = messagesOf((await chats.get(owner, id)).chat)
          expect([...stored.keys()].sort()).toEqual([...model.keys()].sort())
          for (const [name, message] of model) {
            expect(stored.get(name)).toMatchObject({
              ...message.fields,
              parentId: message.parentId,
            })
            const children = [...model]
              .filter(([, child]) => child.parentId === name)
              .map(([child]) => child)
            expect(stored.get(name)!.childrenIds.toSorted()).toEqual(children.sort())
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  const anyMessage = fc.record(
    {
      role: fc.constantFrom('user', 'assistant', 'system'),
      content: fc.oneof(fc.string(), fc.constant(null), fc.constant([{ type: 'text', text: 'x' }])),
      parentId: fc.option(anyId),
      childrenIds: fc.array(anyId, { maxLength: 3 }),
      timestamp: fc.integer({ min: 0, max: 2_000_000_000 }),
      done: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  const anyBody = fc.record(
    {
      history: fc.record(
        {
          currentId: fc.option(anyId),
          messages: fc.array(fc.tuple(anyId, anyMessage), { maxLength: 5 }).map(toRecord),
        },
        { requiredKeys: [] },
      ),
      messages: fc.array(fc.record({ id: anyId, content: fc.string() }), { maxLength: 3 }),
      currentId: fc.option(anyId),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<ChatBodyInput>

  it('any tree is mended or refused as a whole; what is stored is always a tree', async () => {
    const { chats, addUser } = await createTestChats()
    const owner = await addUser('owner')
    await fc.assert(
      fc.asyncProperty(fc.array(anyBody, { minLength: 1, maxLength: 6 }), async (bodies) => {
        const { id } = await chats.create(owner, { title: 'fuzz' })
        for (const body of bodies) {
          const before = await chats.get(owner, id)
          const refusal = await refusalOf(() => chats.update(owner, id, body))
          const after = await chats.get(owner, id)
          expect([undefined, 400]).toContain(refusal?.status)
          expect(refusal !== null && JSON.stringify(after) !== JSON.stringify(before)).toBe(false)
          expect(faultsOf(after.chat)).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })
})

async function refusalOf(work: () => Promise<unknown>): Promise<ServiceError | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

/** Returns the faults that keep a chat from being a tree that clients can traverse. */
function faultsOf(body: {
  history: { currentId?: string | null; messages: object }
  messages: Message[]
}): string[] {
  const messages = messagesOf(body)
  const { currentId = null } = body.history
  const faults: string[] = []
  if (messages.size > 0 && !messages.has(currentId!)) faults.push('the current message is unknown')
  if ((body.messages.at(-1)?.id ?? null) !== currentId)
    faults.push('the active thread ends elsewhere')
  for (const [id, { parentId, childrenIds }] of messages) {
    if (parentId && !messages.get(parentId)?.childrenIds.includes(id))
      faults.push(`${id} is not listed by its parent`)
    if (childrenIds.some((child) => messages.has(child) && messages.get(child)!.parentId !== id))
      faults.push(`${id} lists a foreign child`)
    const path = new Set<string>()
    let place: string | null | undefined = id
    while (place && !path.has(place)) {
      path.add(place)
      place = messages.get(place)?.parentId
    }
    if (place) faults.push(`${id} leads into a circle`)
  }
  return faults
}
