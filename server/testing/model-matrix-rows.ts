import type { World } from './create-world.ts'
import { admin, owned, user, type MatrixRow } from './matrix-row.ts'

let counter = 0

/** Creates a model that only the owner and administrators know. */
const model = async ({ server, tokens, ids }: World) => {
  const access_grants = [{ principal_type: 'user', principal_id: ids.owner, permission: 'write' }]
  const body = { id: 'owned-model', name: 'Owned', base_model_id: 'guide', access_grants }
  await server.call('POST', '/api/v1/models/create', { token: tokens.admin, body })
  return {}
}
export const modelRows: Readonly<Record<string, MatrixRow>> = {
  'models.list': user(),
  'models.one': { ...user(404), params: () => ({ model_id: 'no-such-model' }) },
  'models.base': admin(),
  'models.unload': admin({ body: () => ({ model: 'no-such-model' }), status: 400 }),
  'models.workspace': user(),
  'models.overrides': admin(),
  'models.tags': user(),
  'models.export': { ...user(403), others: { admin: 200 } },
  'models.import': { ...user(403, { models: [] }), others: { admin: 200 } },
  'models.sync': admin({ body: () => ({ models: [] }) }),
  'models.create': {
    ...user(403),
    body: () => ({ id: `model${(counter += 1)}`, name: 'New', base_model_id: 'guide' }),
    others: { admin: 200 },
  },
  'models.info': owned(model, { query: '?id=owned-model', others: { other: 404, admin: 200 } }),
  'models.update': owned(model, {
    body: () => ({ id: 'owned-model', name: 'Renamed' }),
    others: { other: 404, admin: 200 },
  }),
  'models.toggle': owned(model, { query: '?id=owned-model', others: { other: 404, admin: 200 } }),
  'models.updateAccess': owned(model, {
    body: () => ({ id: 'owned-model' }),
    others: { other: 404, admin: 200 },
  }),
  'models.remove': user(404, { id: 'no-such-model' }),
  'models.removeByQuery': { ...user(404), query: '?id=no-such-model' },
  'models.removeAll': admin(),
  'models.profileImage': owned(model, {
    query: '?id=owned-model',
    others: { other: 404, admin: 200 },
  }),
  'models.prices': user(),
  'models.updatePrices': admin({ body: () => ({ prices: [] }) }),
  'models.config': admin(),
  'models.updateConfig': admin({ body: () => ({}) }),
  'models.defaults': user(),
}
