import type { World } from './create-world.ts'
import { admin, owned, user, type MatrixRow } from './matrix-row.ts'

const feedback = async ({ server, tokens }: World) => {
  const reply = await server.call('POST', '/api/v1/evaluations/feedback', {
    token: tokens.owner,
    body: { type: 'rating', data: { rating: 1 } },
  })
  return { feedback_id: ((await reply.json()) as { id: string }).id }
}
export const evaluationRows: Readonly<Record<string, MatrixRow>> = {
  'evaluations.config': admin(),
  'evaluations.updateConfig': admin({ body: () => ({}) }),
  'evaluations.createFeedback': user(200, {
    type: 'rating',
    data: { rating: 1, model_id: 'guide' },
  }),
  'evaluations.getFeedback': owned(feedback, { others: { other: 404, admin: 200 } }),
  'evaluations.updateFeedback': owned(feedback, {
    body: () => ({ data: { rating: -1 } }),
    others: { other: 404, admin: 200 },
  }),
  'evaluations.removeFeedback': { ...user(404), params: () => ({ feedback_id: 'none' }) },
  'evaluations.ownFeedbacks': user(),
  'evaluations.removeOwnFeedbacks': user(),
  'evaluations.listFeedbacks': admin(),
  'evaluations.feedbackIds': admin(),
  'evaluations.exportFeedbacks': admin(),
  'evaluations.removeAllFeedbacks': admin(),
  'evaluations.ratedModels': admin(),
  'evaluations.leaderboard': admin(),
  'evaluations.history': admin({ params: () => ({ model_id: 'never-rated' }), status: 404 }),
}
