import { sampleModel, sampleModelRow } from './samples.ts'

/** Models and feedback on their answers, without a Latin letter. */
export const modelSamples: Record<string, unknown> = {
  'GET /api/v1/models/list': {
    items: [
      sampleModelRow({ id: '3', name: '4', base_model_id: '9', meta: { tags: [{ name: '5' }] } }),
    ],
    total: 1,
  },
  'GET /api/models/base': { data: [sampleModel({ id: '7', name: '7', connection_name: '5' })] },
  'GET /api/v1/models/base': [sampleModelRow({ id: '7', name: '8', base_model_id: null })],
  'GET /api/v1/configs/models': {
    DEFAULT_MODELS: '7',
    DEFAULT_PINNED_MODELS: '7',
    MODEL_ORDER_LIST: [],
  },
  'GET /api/v1/models/prices': [{ model: '1', input: 1, output: 2, currency: '…' }],
  'GET /api/v1/evaluations/leaderboard': {
    entries: [{ model_id: '7', rating: 1016, won: 1, lost: 0, count: 1, top_tags: [] }],
  },
  'GET /api/v1/evaluations/feedbacks/list': {
    items: [
      {
        id: '1',
        user_id: '1',
        version: 0,
        type: 'rating',
        data: { rating: 1, model_id: '7', reason: 'other', comment: '!' },
        meta: {},
        created_at: 0,
        updated_at: 0,
        user: null,
      },
    ],
    total: 1,
  },
  'GET /api/v1/evaluations/config': {
    ENABLE_EVALUATION_ARENA_MODELS: true,
    EVALUATION_ARENA_MODELS: [
      { id: '1', name: '2', meta: { model_ids: ['3'], filter_mode: 'exclude' } },
    ],
  },
}
