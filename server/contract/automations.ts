import {
  doneSchema,
  idSchema,
  jsonObjectSchema,
  knownVersion,
  nanosecondsSchema,
  pageSchema,
} from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { z } from './lazy-zod.ts'

/** Cause of a run: its schedule, a user, or a call of its URL. */
export const runCauseSchema = z.enum(['schedule', 'manual', 'webhook'])
export type RunCause = z.output<typeof runCauseSchema>

/**
 * `missed` was due while the gateway did not run, `skipped` while the previous run had not ended;
 * neither sent a request.
 */
export const runStatusSchema = z.enum([
  'running',
  'success',
  'error',
  'cancelled',
  'missed',
  'skipped',
])
export type RunStatus = z.output<typeof runStatusSchema>

/** One run. Times are unix nanoseconds. */
export const automationRunSchema = z
  .object({
    id: z.string(),
    automation_id: z.string(),
    /** Chat that contains the answer; null if none was created. */
    chat_id: z.string().nullable(),
    status: runStatusSchema,
    cause: runCauseSchema,
    error: z.string().nullable(),
    /** Time at which it was due; null for one started by a user or client. */
    planned_at: nanosecondsSchema.nullable(),
    created_at: nanosecondsSchema,
    ended_at: nanosecondsSchema.nullable(),
  })
  .meta({ id: 'AutomationRun' })
export type AutomationRun = z.output<typeof automationRunSchema>

const LONGEST_PROMPT = 100_000
const MOST_TOOLS = 50

/** Definition of an automation. Unknown fields are kept. */
export const automationDataSchema = z.looseObject({
  prompt: z.string().max(LONGEST_PROMPT),
  model_id: z.string().max(512),
  /**
   * Schedule: `DTSTART:20300101T090000` and `RRULE:FREQ=…` on separate lines, in the time zone
   * `timezone`. Null for one that runs only when called.
   */
  rrule: z.string().max(2000).nullish(),
  /** Name such as `Europe/Berlin`; defaults to the user's time zone. */
  timezone: z.string().max(100).nullish(),
  /** Folder in which its chats are created. */
  folder_id: z.string().max(256).nullish(),
  tool_ids: z.array(z.string().max(512)).max(MOST_TOOLS).nullish(),
  web_search: z.boolean().nullish(),
  terminal: z.unknown().optional(),
})
export type AutomationData = z.output<typeof automationDataSchema>

export const automationSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    name: z.string(),
    data: automationDataSchema,
    meta: jsonObjectSchema.nullable(),
    is_active: z.boolean(),
    last_run_at: nanosecondsSchema.nullable(),
    next_run_at: nanosecondsSchema.nullable(),
    created_at: nanosecondsSchema,
    updated_at: nanosecondsSchema,
    last_run: automationRunSchema.nullable(),
    /** Next five run times; null in lists. */
    next_runs: z.array(nanosecondsSchema).nullable(),
    /** Present if it can be run by calling its URL, with the time of the last such call. */
    webhook: z.object({ last_used_at: nanosecondsSchema.nullable() }).nullable(),
  })
  .meta({ id: 'Automation' })
export type Automation = z.output<typeof automationSchema>

export const automationInputSchema = z
  .object({
    name: z.string().max(200),
    data: automationDataSchema,
    meta: jsonObjectSchema.nullish(),
    is_active: z.boolean().nullish(),
  })
  .meta({
    id: 'AutomationInput',
    example: {
      name: 'Morning news',
      data: {
        prompt: 'Summarise what happened.',
        model_id: 'llama3.2',
        rrule: 'DTSTART:20300101T090000\nRRULE:FREQ=DAILY',
        timezone: 'Europe/Berlin',
      },
    },
  })
export type AutomationInput = z.output<typeof automationInputSchema>

export const automationUpdateSchema = automationInputSchema
  .extend(knownVersion)
  .meta({ id: 'AutomationUpdate' })
export type AutomationUpdate = z.output<typeof automationUpdateSchema>

const params = z.object({ automation_id: idSchema })

/** Maximum body size of a call to the URL of an automation. */
const LARGEST_CALL = 64 * 1024

export const automationEndpoints = defineEndpoints(
  {
    domain: 'automations',
    tag: 'Automations',
    root: '/api/v1/automations',
    feature: 'ENABLE_AUTOMATIONS',
    permission: 'features.automations',
    errors: [403],
  },
  {
    list: {
      method: 'GET',
      path: '/list',
      query: z.object({
        query: z.string().max(200).optional(),
        /** `active` or `paused`; anything else means all. */
        status: z.string().max(100).optional(),
        page: pageSchema.optional(),
      }),
      response: z.object({ items: z.array(automationSchema), total: z.int() }),
      summary: 'Automations of the caller, the newest first, 30 a page.',
    },
    create: {
      method: 'POST',
      path: '/create',
      body: automationInputSchema,
      response: automationSchema,
      errors: [400, 403],
      summary: 'Creates an automation.',
    },
    preview: {
      method: 'POST',
      path: '/preview',
      body: z.object({ rrule: z.string().max(2000), timezone: z.string().max(100).nullish() }),
      response: z.object({ next_runs: z.array(nanosecondsSchema) }),
      errors: [400, 403],
      summary: 'The next times of a rule. Nothing is stored.',
    },
    receive: {
      feature: 'ENABLE_AUTOMATIONS',
      permission: undefined,
      method: 'POST',
      path: '/hooks/:automation_id/:token',
      auth: 'none',
      bodyLimit: LARGEST_CALL,
      params: params.extend({ token: z.string().max(256) }),
      body: z.unknown(),
      response: z.object({ success: z.literal(true), run_id: z.string() }),
      errors: [403, 404, 409, 413, 429],
      summary:
        'Runs an automation, at most ten times a minute; its secret URL is the only credential. The body is appended to the prompt.',
    },
    get: {
      method: 'GET',
      path: '/:automation_id',
      params,
      response: automationSchema,
      errors: [403, 404],
      summary: 'One automation; administrators read all.',
    },
    update: {
      method: 'POST',
      path: '/:automation_id/update',
      params,
      body: automationUpdateSchema,
      response: automationSchema,
      errors: [400, 403, 404, 409],
      summary: 'Changes an automation.',
    },
    toggle: {
      method: 'POST',
      path: '/:automation_id/toggle',
      params,
      response: automationSchema,
      errors: [400, 403, 404],
      summary: 'Pauses or resumes an automation.',
    },
    run: {
      method: 'POST',
      path: '/:automation_id/run',
      params,
      response: automationSchema,
      errors: [403, 404, 409],
      summary: 'Runs an automation now; answers when it has started.',
    },
    cancel: {
      method: 'POST',
      path: '/:automation_id/cancel',
      params,
      response: automationSchema,
      errors: [403, 404],
      summary: 'Stops the current run.',
    },
    runs: {
      method: 'GET',
      path: '/:automation_id/runs',
      params,
      query: z.object({
        skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
        limit: z.coerce.number().int().min(1).max(100).default(50),
      }),
      response: z.array(automationRunSchema),
      errors: [403, 404],
      summary: 'Runs of an automation, the newest first; the last 200 are kept.',
    },
    createAddress: {
      method: 'POST',
      path: '/:automation_id/address',
      params,
      response: z.object({ path: z.string() }),
      errors: [403, 404],
      summary:
        'Creates a secret URL that runs it and replaces the previous one; it is returned only here.',
    },
    removeAddress: {
      method: 'DELETE',
      path: '/:automation_id/address',
      params,
      response: automationSchema,
      errors: [403, 404],
      summary: 'Removes the secret URL.',
    },
    remove: {
      method: 'DELETE',
      path: '/:automation_id/delete',
      params,
      response: doneSchema,
      errors: [403, 404],
      summary: 'Deletes an automation with its history; its chats stay.',
    },
  },
)
