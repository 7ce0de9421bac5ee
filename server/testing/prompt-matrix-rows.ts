import type { World } from './create-world.ts'
import { owned, user, type MatrixRow } from './matrix-row.ts'

let counter = 0

/** The owner may not create prompts, so an administrator transfers one. */
const prompt = async ({ server, tokens, ids }: World) => {
  const command = `prompt${(counter += 1)}`
  const access_grants = [{ principal_type: 'user', principal_id: ids.owner, permission: 'write' }]
  const body = { command, name: 'A prompt', content: 'Hello', access_grants }
  const reply = await server.call('POST', '/api/v1/prompts/create', { token: tokens.admin, body })
  const { id, version_id } = (await reply.json()) as { id: string; version_id: string }
  return { prompt_id: id, history_id: version_id, command }
}
/** Administrators may read and change unshared prompts of others. */
const shareable = (row: Partial<MatrixRow> = {}): MatrixRow =>
  owned(prompt, { others: { other: 404 }, ...row })
const PROMPT = { command: 'matrix', name: 'Matrix', content: 'Hello' }
export const promptRows: Readonly<Record<string, MatrixRow>> = {
  'promptChecks.get': shareable(),
  'promptChecks.save': shareable({ body: () => ({ cases: [] }) }),
  'promptChecks.run': shareable({ body: () => ({ models: ['guide'] }), status: 400 }),
  'prompts.list': user(),
  'prompts.page': user(),
  'prompts.tags': user(),
  'prompts.create': { ...user(403, PROMPT), others: { admin: 200 } },
  'prompts.get': shareable(),
  'prompts.update': shareable({ body: () => ({ content: 'Changed' }) }),
  'prompts.updateMeta': shareable({ body: () => ({ name: 'Renamed' }) }),
  'prompts.updateVersion': shareable({ body: () => ({ version_id: 'none' }), status: 404 }),
  'prompts.toggle': shareable(),
  'prompts.updateAccess': shareable({ body: () => ({}) }),
  'prompts.remove': shareable({ others: { other: 404, admin: 200 }, status: 404 }),
  'prompts.history': shareable(),
  'prompts.diff': shareable({ query: '?from_id=a&to_id=b', status: 404 }),
  'prompts.version': shareable(),
  'prompts.removeVersion': shareable({ status: 400 }),
  'prompts.getByCommand': shareable(),
  'prompts.updateByCommand': shareable({ body: () => ({ content: 'Changed' }) }),
  'prompts.removeByCommand': shareable({ others: { other: 404, admin: 200 }, status: 404 }),
}
