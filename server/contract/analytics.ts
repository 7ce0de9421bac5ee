import { defineEndpoints } from './endpoint.ts'
import { z } from './lazy-zod.ts'

const MOST_SECONDS = 253_402_300_799
const secondsSchema = z.coerce.number().min(0).max(MOST_SECONDS)
const countSchema = z.int()

/** Answers that are counted: those of a time range, and of the members of a group. */
export const analyticsRangeSchema = z.object({
  start_date: secondsSchema.optional(),
  end_date: secondsSchema.optional(),
  group_id: z.string().max(256).optional(),
})
export type AnalyticsRange = z.output<typeof analyticsRangeSchema>

/** Cost of answers by the price table, in one currency. */
const costSchema = z.object({ currency: z.string(), amount: z.number() })
export type AnalyticsCost = z.output<typeof costSchema>

const tokens = {
  input_tokens: countSchema,
  output_tokens: countSchema,
  total_tokens: countSchema,
  /** Costs of models in the price table. */
  costs: z.array(costSchema),
}

const modelUsageSchema = z.object({ model_id: z.string(), message_count: countSchema, ...tokens })
export type ModelUsage = z.output<typeof modelUsageSchema>

const personUsageSchema = z.object({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  count: countSchema,
  ...tokens,
})
export type PersonUsage = z.output<typeof personUsageSchema>

const dayUsageSchema = z.object({
  /** Day as `YYYY-MM-DD`, or hour as `YYYY-MM-DD HH:MM`, in the time zone of the gateway. */
  date: z.string(),
  models: z.record(z.string(), countSchema),
  ...tokens,
})
export type DayUsage = z.output<typeof dayUsageSchema>

const summarySchema = z
  .object({
    total_messages: countSchema,
    total_chats: countSchema,
    total_models: countSchema,
    total_users: countSchema,
  })
  .meta({ id: 'AnalyticsSummary' })
export type AnalyticsSummary = z.output<typeof summarySchema>

/** Stored message without its text. */
const bareMessageSchema = z.object({
  id: z.string(),
  chat_id: z.string(),
  user_id: z.string(),
  role: z.string(),
  parent_id: z.string().nullable(),
  content: z.null(),
  output: z.null(),
  model_id: z.string().nullable(),
  files: z.null(),
  sources: z.null(),
  embeds: z.null(),
  done: z.boolean(),
  status_history: z.null(),
  error: z.null(),
  usage: z
    .object({ input_tokens: countSchema, output_tokens: countSchema, total_tokens: countSchema })
    .nullable(),
  created_at: countSchema,
  updated_at: countSchema,
})
export type BareMessage = z.output<typeof bareMessageSchema>

const bareChatSchema = z.object({
  chat_id: z.string(),
  user_id: z.string(),
  user_name: z.string(),
  first_message: z.null(),
  updated_at: countSchema,
})

const MOST_LISTED = 500
const modelParams = z.object({ model_id: z.string().min(1).max(512) })
const skipSchema = z.coerce.number().int().min(0).max(1_000_000_000).default(0)
const limitSchema = z.coerce.number().int().min(1).max(100).default(50)

export const analyticsEndpoints = defineEndpoints(
  {
    domain: 'analytics',
    tag: 'Analytics',
    root: '/api/v1/analytics',
    auth: 'admin',
    feature: 'ENABLE_ADMIN_ANALYTICS',
    errors: [403],
  },
  {
    summary: {
      method: 'GET',
      path: '/summary',
      query: analyticsRangeSchema,
      response: summarySchema,
      summary: 'Numbers of answers, chats, models and users.',
    },
    models: {
      method: 'GET',
      path: '/models',
      query: analyticsRangeSchema,
      response: z.object({
        models: z.array(z.object({ model_id: z.string(), count: countSchema })),
      }),
      summary: 'Answers by model, the busiest first.',
    },
    users: {
      method: 'GET',
      path: '/users',
      query: analyticsRangeSchema.extend({
        limit: z.coerce.number().int().min(1).max(MOST_LISTED).default(50),
      }),
      response: z.object({ users: z.array(personUsageSchema) }),
      summary: 'Answers, tokens and cost by person, the busiest first.',
    },
    daily: {
      method: 'GET',
      path: '/daily',
      query: analyticsRangeSchema.extend({
        /** `hourly`, or `daily` for anything else. */
        granularity: z.string().max(100).optional(),
      }),
      response: z.object({ data: z.array(dayUsageSchema) }),
      errors: [400, 403],
      summary: 'Answers by model, tokens and cost by day or hour.',
    },
    tokens: {
      method: 'GET',
      path: '/tokens',
      query: analyticsRangeSchema,
      response: z.object({
        models: z.array(modelUsageSchema),
        total_input_tokens: countSchema,
        total_output_tokens: countSchema,
        total_tokens: countSchema,
        costs: z.array(costSchema),
      }),
      summary: 'Tokens and cost by model, the most tokens first.',
    },
    messages: {
      method: 'GET',
      path: '/messages',
      query: analyticsRangeSchema.pick({ start_date: true, end_date: true }).extend({
        model_id: z.string().max(512).optional(),
        user_id: z.string().max(256).optional(),
        chat_id: z.string().max(256).optional(),
        skip: skipSchema,
        limit: limitSchema,
      }),
      response: z.array(bareMessageSchema),
      summary: 'Messages of a model, user or chat, the newest first, without their contents.',
    },
    chats: {
      method: 'GET',
      path: '/models/:model_id/chats',
      params: modelParams,
      query: analyticsRangeSchema
        .pick({ start_date: true, end_date: true })
        .extend({ skip: skipSchema, limit: limitSchema }),
      response: z.object({ chats: z.array(bareChatSchema), total: countSchema }),
      summary: 'Chats with answers of a model, the newest first, without their contents.',
    },
    overview: {
      method: 'GET',
      path: '/models/:model_id/overview',
      params: modelParams,
      query: z.object({ days: z.coerce.number().int().min(0).max(3650).default(30) }),
      response: z.object({
        history: z.array(z.object({ date: z.string(), won: countSchema, lost: countSchema })),
        tags: z.array(z.object({ tag: z.string(), count: countSchema })),
      }),
      summary: 'Ratings of the answers of a model by day, and the tags of those ratings.',
    },
    export: {
      method: 'GET',
      path: '/export',
      query: analyticsRangeSchema.extend({ table: z.enum(['days', 'models', 'people']) }),
      reply: 'stream',
      replyTypes: ['text/csv'],
      response: z.unknown(),
      errors: [400, 403],
      summary: 'Figures by day, model or user as CSV.',
    },
  },
)
