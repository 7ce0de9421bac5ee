import type { World } from './create-world.ts'
import { owned, user, type MatrixRow } from './matrix-row.ts'

let counter = 0

/** The owner may not create skills, so an administrator transfers one. */
async function skill({ server, tokens, ids }: World) {
  const id = `skill${(counter += 1)}`
  const access_grants = [{ principal_type: 'user', principal_id: ids.owner, permission: 'write' }]
  const body = { id, name: id, content: 'Hello', access_grants }
  await server.call('POST', '/api/v1/skills/create', { token: tokens.admin, body })
  await server.call('POST', `/api/v1/skills/id/${id}/files`, {
    token: tokens.admin,
    body: { path: 'a.txt', content: 'aGk=' },
  })
  return { skill_id: id }
}

/** Administrators may read and change unshared skills of others. */
const shareable = (row: Partial<MatrixRow> = {}): MatrixRow =>
  owned(skill, { others: { other: 404 }, ...row })
const SKILL = { id: 'matrix', name: 'Matrix', content: 'Hello' }

export const skillRows: Readonly<Record<string, MatrixRow>> = {
  'skills.list': user(),
  'skills.page': user(),
  'skills.export': user(),
  'skills.create': { ...user(403, SKILL), others: { admin: 200 } },
  'skills.import': { ...user(403), others: { admin: 415 } },
  'skills.get': shareable(),
  'skills.update': shareable({ body: () => ({ content: 'Changed' }) }),
  'skills.updateAccess': shareable({ body: () => ({}) }),
  'skills.toggle': shareable(),
  'skills.remove': shareable({ others: { other: 404, admin: 200 }, status: 404 }),
  'skills.download': shareable(),
  'skills.readFile': shareable({ query: '?path=a.txt' }),
  'skills.writeFile': shareable({ body: () => ({ path: 'b.txt', content: 'aGk=' }) }),
  'skills.removeFile': shareable({
    query: '?path=a.txt',
    others: { other: 404, admin: 200 },
    status: 404,
  }),
}
