import type { World } from './create-world.ts'
import { owned, user, type MatrixRow } from './matrix-row.ts'

const created = async ({ server, tokens }: World, path: string, body: object): Promise<string> => {
  const reply = await server.call('POST', `/api/v1/${path}`, { token: tokens.owner, body })
  return ((await reply.json()) as { id: string }).id
}
const note = async (world: World) => ({
  note_id: await created(world, 'notes/create', { title: 'A note' }),
})
const memory = async (world: World) => ({
  memory_id: await created(world, 'memories/add', { content: 'Likes tea' }),
})
/** Administrators may read and change unshared notes of others. */
const shareable = (row: Partial<MatrixRow> = {}): MatrixRow =>
  owned(note, { others: { other: 404 }, ...row })

export const noteRows: Readonly<Record<string, MatrixRow>> = {
  'memories.list': user(),
  'memories.add': user(200, { content: 'Likes tea' }),
  'memories.query': user(200, { content: 'tea' }),
  'memories.reset': user(),
  'memories.update': owned(memory, { body: () => ({ content: 'Likes coffee' }) }),
  'memories.removeAll': user(),
  'memories.remove': owned(memory),

  'notes.list': user(),
  'notes.pinned': user(),
  'notes.search': user(),
  'notes.create': user(200, { title: 'A note' }),
  'notes.get': shareable(),
  'notes.update': shareable({ body: () => ({ title: 'Changed' }) }),
  'notes.updateAccess': shareable({ body: () => ({}) }),
  'notes.pin': shareable(),
  'notes.remove': shareable({ others: { other: 404, admin: 200 }, status: 404 }),
}
