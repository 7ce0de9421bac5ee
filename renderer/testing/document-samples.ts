import { localModels } from './local-model-samples.ts'

const file = {
  id: '8',
  user_id: '1',
  hash: '2',
  filename: '3',
  data: { status: 'failed', error: '4' },
  meta: { name: '3', content_type: '5', size: 6_000, data: {}, collection_name: null },
  created_at: 1,
  updated_at: 1,
}
const note = {
  id: '3',
  user_id: '1',
  title: '4',
  data: { content: { md: '5' } },
  meta: {},
  is_pinned: true,
  created_at: 1,
  updated_at: 1,
  write_access: true,
  user: null,
  access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }],
  access_control: null,
}
/** Files, knowledge, notes and memories, without a Latin letter. */
export const documentSamples: Record<string, unknown> = {
  'GET /api/v1/files/': {
    items: [file, { ...file, id: '9', data: { status: 'pending' } }],
    total: 3,
  },
  'GET /api/v1/files/usage': {
    count: 2,
    bytes: 9_000,
    quota_bytes: 99_000,
    max_file_bytes: null,
    max_count: null,
    allowed_extensions: [],
  },
  'GET /api/v1/knowledge/': { items: [], total: 0 },
  'GET /api/v1/engine': localModels,
  'GET /api/v1/retrieval/engine/suggestions': [],
  'GET /api/v1/retrieval/engine': {
    engine: 'built-in',
    kind: 'built-in',
    model: null,
    dimensions: 768,
    problem: null,
    documents: { total: 2, current: 1, failed: 0 },
    chunks: 4,
    reindex: { done: 1, total: 2, document: null },
  },
  'GET /api/v1/notes/search': { items: [note], total: 2 },
  'GET /api/v1/notes/3': note,
  'GET /api/v1/memories/': [{ id: '1', user_id: '1', content: '7', created_at: 1, updated_at: 1 }],
}
