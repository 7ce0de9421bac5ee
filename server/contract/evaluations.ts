import { z } from './lazy-zod.ts'
import { accessInput } from './access.ts'
import { doneSchema, idSchema, jsonObjectSchema, knownAuthorSchema, pageSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/**
 * Entry that stands for a random one of several models. `model_ids` names them, or with `exclude`
 * those to leave out; none means all. Without access grants all users may use it, with an empty
 * list only administrators.
 */
export const arenaModelSchema = z
  .looseObject({
    id: z.string().trim().min(1).max(256),
    name: z.string().trim().min(1).max(500),
    meta: z
      .looseObject({
        description: z.string().max(10_000).nullish(),
        profile_image_url: z.string().nullish(),
        model_ids: z.array(z.string().max(512)).max(1000).nullish(),
        filter_mode: z.enum(['include', 'exclude']).nullish(),
        ...accessInput,
      })
      .default({}),
  })
  .meta({ id: 'ArenaModel' })
export type ArenaModel = z.output<typeof arenaModelSchema>
export const arenaModelsSchema = z.array(arenaModelSchema).max(200)

export const evaluationsConfigSchema = z
  .object({
    ENABLE_EVALUATION_ARENA_MODELS: z.boolean(),
    EVALUATION_ARENA_MODELS: arenaModelsSchema,
  })
  .meta({ id: 'EvaluationsConfig' })
export type EvaluationsConfig = z.output<typeof evaluationsConfigSchema>

const evaluationsConfigInputSchema = z.object({
  ENABLE_EVALUATION_ARENA_MODELS: z.boolean().nullish(),
  EVALUATION_ARENA_MODELS: arenaModelsSchema.nullish(),
})
export type EvaluationsConfigInput = z.output<typeof evaluationsConfigInputSchema>

/**
 * Rating of an answer by a user: `rating` 1 or -1, the models it was compared with, and the reason;
 * further fields are kept.
 */
const feedbackDataSchema = z.looseObject({
  rating: z.union([z.number(), z.string()]).nullish(),
  model_id: z.string().max(512).nullish(),
  sibling_model_ids: z.array(z.string().max(512)).max(100).nullish(),
  reason: z.string().max(2000).nullish(),
  comment: z.string().max(20_000).nullish(),
  tags: z.array(z.string().max(200)).max(100).nullish(),
})

/** Rating of an answer. Times are unix seconds. */
export const feedbackSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    version: z.int(),
    type: z.string(),
    data: feedbackDataSchema,
    meta: jsonObjectSchema,
    created_at: z.int(),
    updated_at: z.int(),
  })
  .meta({ id: 'Feedback' })
export type Feedback = z.output<typeof feedbackSchema>

/** Rating with the chat as it was at that time. */
export const fullFeedbackSchema = feedbackSchema
  .extend({ snapshot: jsonObjectSchema.nullable() })
  .meta({ id: 'FullFeedback' })
export type FullFeedback = z.output<typeof fullFeedbackSchema>

const typeSchema = z.string().min(1).max(100)
const feedbackParts = {
  data: feedbackDataSchema.nullish(),
  meta: jsonObjectSchema.nullish(),
  snapshot: jsonObjectSchema.nullish(),
}

export const feedbackInputSchema = z.object({ type: typeSchema, ...feedbackParts }).meta({
  id: 'FeedbackInput',
  example: {
    type: 'rating',
    data: { rating: 1, model_id: 'llama3.2', comment: 'Clear and short.' },
  },
})
export type FeedbackInput = z.output<typeof feedbackInputSchema>

/**
 * Comparison result of a model. `won` and `lost` count its own ratings and those of the models it
 * was compared with; only ratings in comparisons affect `rating`.
 */
export const leaderboardEntrySchema = z
  .object({
    model_id: z.string(),
    rating: z.int(),
    won: z.int(),
    lost: z.int(),
    count: z.int(),
    top_tags: z.array(z.object({ tag: z.string(), count: z.int() })),
  })
  .meta({ id: 'LeaderboardEntry' })
export type LeaderboardEntry = z.output<typeof leaderboardEntrySchema>

const MEBIBYTE = 1024 * 1024
const root = '/api/v1/evaluations'
const feedbackParams = z.object({ feedback_id: idSchema })
const rating = { feature: 'ENABLE_MESSAGE_RATING', permission: 'chat.rate_response' } as const
const forAdmins = { auth: 'admin' } as const
/** Rating with the user who gave it. */
export const ratedItemSchema = feedbackSchema.extend({
  user: knownAuthorSchema
    .extend({
      last_active_at: z.int(),
      created_at: z.int(),
      updated_at: z.int(),
    })
    .nullable(),
})
export type RatedItem = z.output<typeof ratedItemSchema>

export const evaluationEndpoints = defineEndpoints(
  { domain: 'evaluations', tag: 'Evaluations', root: '/api/v1/evaluations' },
  {
    config: {
      method: 'GET',
      path: '/config',
      auth: 'admin',
      response: evaluationsConfigSchema,
      summary: 'Settings of arena models.',
    },
    updateConfig: {
      method: 'POST',
      path: '/config',
      auth: 'admin',
      body: evaluationsConfigInputSchema,
      response: evaluationsConfigSchema,
      errors: [400],
      summary: 'Changes the settings of arena models; absent ones stay unchanged.',
    },
    createFeedback: {
      ...rating,
      method: 'POST',
      path: '/feedback',
      body: feedbackInputSchema,
      bodyLimit: 8 * MEBIBYTE,
      response: fullFeedbackSchema,
      errors: [400, 403, 413],
      summary: 'Rates an answer.',
    },
    getFeedback: {
      method: 'GET',
      path: '/feedback/:feedback_id',
      params: feedbackParams,
      response: fullFeedbackSchema,
      errors: [404],
      summary: 'One rating of the caller; administrators read all.',
    },
    updateFeedback: {
      ...rating,
      method: 'POST',
      path: '/feedback/:feedback_id',
      params: feedbackParams,
      body: z.object({ type: typeSchema.optional(), ...feedbackParts }),
      bodyLimit: 8 * MEBIBYTE,
      response: fullFeedbackSchema,
      errors: [400, 403, 404, 413],
      summary: 'Changes a rating; absent parts stay unchanged.',
    },
    removeFeedback: {
      method: 'DELETE',
      path: '/feedback/:feedback_id',
      params: feedbackParams,
      response: doneSchema,
      errors: [404],
      summary: 'Deletes a rating.',
    },
    ownFeedbacks: {
      method: 'GET',
      path: '/feedbacks/user',
      query: z.object({ page: pageSchema.optional() }),
      response: z
        .object({ items: z.array(feedbackSchema), total: z.int() })
        .meta({ id: 'OwnFeedbackPage' }),
      summary: 'Ratings of the caller, the newest first, 30 a page.',
    },
    removeOwnFeedbacks: {
      method: 'DELETE',
      path: '/feedbacks',
      response: doneSchema,
      summary: 'Deletes all ratings of the caller.',
    },
    listFeedbacks: {
      ...forAdmins,
      method: 'GET',
      path: '/feedbacks/list',
      query: z.object({
        model_id: z.string().max(512).optional(),
        order_by: z.enum(['', 'created_at', 'updated_at', 'model_id', 'rating']).optional(),
        direction: z.enum(['', 'asc', 'desc']).optional(),
        page: pageSchema.optional(),
      }),
      response: z.object({ items: z.array(ratedItemSchema), total: z.int() }),
      summary: 'Ratings of all users, 30 a page, the newest first.',
    },
    feedbackIds: {
      ...forAdmins,
      method: 'GET',
      path: '/feedbacks/all/ids',
      response: z.array(
        feedbackSchema.pick({ id: true, user_id: true, created_at: true, updated_at: true }),
      ),
      summary: 'Ids of all ratings.',
    },
    exportFeedbacks: {
      ...forAdmins,
      method: 'GET',
      path: '/feedbacks/all/export',
      aliases: [`${root}/feedbacks/all`],
      response: z.array(fullFeedbackSchema),
      summary: 'All ratings with copies of their chats from the time of the rating.',
    },
    removeAllFeedbacks: {
      ...forAdmins,
      method: 'DELETE',
      path: '/feedbacks/all',
      response: doneSchema,
      summary: 'Deletes all ratings.',
    },
    ratedModels: {
      ...forAdmins,
      method: 'GET',
      path: '/feedbacks/models',
      response: z.array(z.string()),
      summary: 'Ids of models that were rated.',
    },
    leaderboard: {
      ...forAdmins,
      method: 'GET',
      path: '/leaderboard',
      query: z.object({ query: z.string().max(200).optional() }),
      response: z.object({ entries: z.array(leaderboardEntrySchema) }),
      summary: 'Ranking of models by comparisons; `query` only counts ratings with such a tag.',
    },
    history: {
      ...forAdmins,
      method: 'GET',
      path: '/leaderboard/:model_id/history',
      params: z.object({ model_id: z.string().min(1).max(512) }),
      query: z.object({ days: z.coerce.number().int().min(0).max(3650).optional() }),
      response: z.object({
        model_id: z.string(),
        history: z.array(z.object({ date: z.string(), won: z.int(), lost: z.int() })),
      }),
      errors: [404],
      summary: 'Ratings of a model by day, over the last 30 days; `days=0` means all.',
    },
  },
)
