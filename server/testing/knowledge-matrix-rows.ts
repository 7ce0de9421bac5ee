import type { World } from './create-world.ts'
import { admin, owned, user, type MatrixRow } from './matrix-row.ts'

let counter = 0
type Params = Record<string, string>

/** Creates a collection of the owner. */
async function knowledge({ server, tokens }: World): Promise<Params> {
  const { settings } = server.context
  await settings.update({ USER_PERMISSIONS: JSON.stringify({ workspace: { knowledge: true } }) })
  const body = { name: `Collection ${(counter += 1)}` }
  const reply = await server.call('POST', '/api/v1/knowledge/create', { token: tokens.owner, body })
  await settings.update({ USER_PERMISSIONS: null })
  return { knowledge_id: ((await reply.json()) as { id: string }).id }
}

async function directory(world: World): Promise<Params> {
  const params = await knowledge(world)
  const path = `/api/v1/knowledge/${params['knowledge_id']}/dirs/create`
  const reply = await world.server.call('POST', path, {
    token: world.tokens.owner,
    body: { name: 'Pumps' },
  })
  return { ...params, directory_id: ((await reply.json()) as { id: string }).id }
}

/** Administrators may read and change the collections of all users. */
const managed = (row: Partial<MatrixRow> = {}): MatrixRow =>
  owned(knowledge, { others: { other: 404 }, ...row })
/** The administrator's call comes first and removes it. */
const REMOVED_BY_ADMIN = { others: { other: 404, admin: 200 }, status: 404 }
const NO_FILE = { file_id: 'no-such-file' }
const QUERY = { query: 'How is it cleaned?' }

/** Rows for the endpoints of collections. */
export const knowledgeRows: Readonly<Record<string, MatrixRow>> = {
  'knowledge.list': user(),
  'knowledge.search': user(),
  'knowledge.all': user(),
  'knowledge.searchFiles': user(),
  'knowledge.create': { ...user(403, { name: 'Manuals' }), others: { admin: 200 } },
  'knowledge.reindexAll': admin(),
  'knowledge.reindexMetadata': admin(),
  'knowledge.get': managed(),
  'knowledge.update': managed({ body: () => ({ name: 'Renamed' }) }),
  'knowledge.updateAccess': managed({ body: () => ({ access_grants: [] }) }),
  'knowledge.uses': managed(),
  'knowledge.files': managed(),
  'knowledge.pendingFiles': managed(),
  'knowledge.addFile': managed({ body: () => NO_FILE, status: 404 }),
  'knowledge.updateFile': managed({ body: () => NO_FILE, status: 404 }),
  'knowledge.removeFile': managed({ body: () => NO_FILE, status: 404 }),
  'knowledge.addFiles': managed({ body: () => [NO_FILE] }),
  'knowledge.moveFile': managed({ body: () => NO_FILE, status: 404 }),
  'knowledge.createDirectory': managed({ body: () => ({ name: `Directory ${(counter += 1)}` }) }),
  'knowledge.updateDirectory': managed({ params: directory, body: () => ({ name: 'Valves' }) }),
  'knowledge.removeDirectory': managed({ params: directory, ...REMOVED_BY_ADMIN }),
  'knowledge.compare': managed({ body: () => ({ files: [{ filename: 'a.md', path: '' }] }) }),
  'knowledge.cleanUp': managed({ body: () => ({ file_ids: [] }) }),
  'knowledge.reset': managed(),
  'knowledge.reindex': managed(),
  'knowledge.export': admin({ params: knowledge }),
  'knowledge.remove': managed(REMOVED_BY_ADMIN),
}

/** Rows for the retrieval endpoints. */
export const retrievalRows: Readonly<Record<string, MatrixRow>> = {
  'retrieval.processFile': user(404, NO_FILE),
  'retrieval.processText': user(200, { name: 'House rules', content: 'Quiet after ten.' }),
  'retrieval.processWeb': user(400, { url: 'http://127.0.0.1/' }),
  'retrieval.searchWeb': user(403, { queries: ['opening hours'] }),
  'retrieval.processFiles': user(404, { files: [], collection_name: 'no-such-collection' }),
  'retrieval.queryDocument': user(404, { collection_name: 'no-such-collection', ...QUERY }),
  'retrieval.queryCollections': user(404, { collection_names: ['no-such-collection'], ...QUERY }),
  'retrieval.embedding': admin(),
  'retrieval.updateEmbedding': admin({ body: () => ({}) }),
  'retrieval.config': admin(),
  'retrieval.updateConfig': admin({ body: () => ({}) }),
  'retrieval.remove': admin({
    body: () => ({ collection_name: 'no-such-collection', ...NO_FILE }),
    status: 404,
  }),
  'retrieval.resetIndex': admin(),
  'retrieval.resetUploads': admin(),
  'retrieval.engine': admin(),
  'retrieval.suggestEngines': admin(),
  'retrieval.suggestRerankers': admin(),
  'retrieval.checkIndex': admin(),
  'retrieval.reindex': admin({ body: () => ({}) }),
  'retrieval.stopReindex': admin(),
  'retrieval.tryEngine': admin({ body: () => ({}) }),
  'retrieval.rebuildIndex': admin(),
}
