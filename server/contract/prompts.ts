import { z } from './lazy-zod.ts'
import { accessInput, accessOutput } from './access.ts'
import {
  authorSchema,
  doneSchema,
  idSchema,
  jsonObjectSchema,
  knownVersion,
  pageSchema,
  shownNameSchema,
} from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/**
 * Prompt of the library. `content` may contain variables such as `{{topic}}` or `{{tone |
 * select:options=["short","long"]}}`, which the UI asks for. `command` keeps its original spelling,
 * with or without the leading slash. `title` and `timestamp` are the older names of `name` and
 * `updated_at`. Times are unix seconds.
 */
export const promptSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    command: z.string(),
    name: z.string(),
    title: z.string(),
    content: z.string(),
    tags: z.array(z.string()),
    data: jsonObjectSchema,
    meta: jsonObjectSchema,
    is_active: z.boolean(),
    /** Id of the history version from which `content` comes. */
    version_id: z.string(),
    created_at: z.int(),
    updated_at: z.int(),
    timestamp: z.int(),
    /** True if the caller may change it. */
    write_access: z.boolean(),
    user: authorSchema,
    ...accessOutput,
  })
  .meta({ id: 'Prompt' })
export type Prompt = z.output<typeof promptSchema>

/** Fields of a prompt stored in a version. */
export const promptSnapshotSchema = z
  .object({
    command: z.string(),
    name: z.string(),
    content: z.string(),
    tags: z.array(z.string()),
    data: jsonObjectSchema,
    meta: jsonObjectSchema,
  })
  .meta({ id: 'PromptSnapshot' })
export type PromptSnapshot = z.output<typeof promptSnapshotSchema>

/** One version, newest first in lists; `parent_id` is the version it was derived from. */
export const promptVersionSchema = z
  .object({
    id: z.string(),
    prompt_id: z.string(),
    parent_id: z.string().nullable(),
    snapshot: promptSnapshotSchema,
    commit_message: z.string().nullable(),
    user_id: z.string(),
    user: authorSchema,
    created_at: z.int(),
  })
  .meta({ id: 'PromptVersion' })
export type PromptVersion = z.output<typeof promptVersionSchema>

/** One line of a comparison: in both texts, or only in the older or newer one. */
export const promptDiffSchema = z
  .object({
    from: promptVersionSchema,
    to: promptVersionSchema,
    content_diff: z.array(
      z.object({ kind: z.enum(['same', 'removed', 'added']), text: z.string() }),
    ),
    name_changed: z.boolean(),
    command_changed: z.boolean(),
  })
  .meta({ id: 'PromptDiff' })
export type PromptDiff = z.output<typeof promptDiffSchema>

/** With or without the leading slash; letters, digits, `-`, `_` and `.` of any script. */
const commandSchema = z
  .string()
  .trim()
  .max(200)
  .regex(
    /^\/?[\p{L}\p{N}._-]+$/u,
    'must be letters, digits, - and _, with or without a slash in front',
  )
const nameSchema = shownNameSchema(500)
const contentSchema = z.string().max(500_000)
const tagsSchema = z.array(z.string().trim().min(1).max(100)).max(50)

const promptFields = {
  command: commandSchema,
  name: nameSchema.optional(),
  /** Older name of `name`. */
  title: nameSchema.optional(),
  content: contentSchema,
  tags: tagsSchema.nullish(),
  data: jsonObjectSchema.nullish(),
  meta: jsonObjectSchema.nullish(),
  commit_message: z.string().max(1000).nullish(),
  /** False to store the text as a version without activating it. */
  is_production: z.boolean().default(true),
  ...accessInput,
}

/** New prompt; one of `name` and `title` is required. */
export const promptInputSchema = z
  .object(promptFields)
  .refine(({ name, title }) => name !== undefined || title !== undefined, {
    path: ['name'],
    message: 'is missing',
  })
  .meta({
    id: 'PromptInput',
    example: {
      command: '/summary',
      name: 'Summary',
      content: 'Sum this up in {{count}} sentences: {{text}}',
      tags: ['writing'],
    },
  })
export type PromptInput = z.output<typeof promptInputSchema>

/** Update: omitted fields stay unchanged. */
export const promptUpdateSchema = z
  .object({
    ...promptFields,
    ...knownVersion,
    command: commandSchema.optional(),
    content: contentSchema.optional(),
  })
  .meta({ id: 'PromptUpdate' })
export type PromptUpdate = z.output<typeof promptUpdateSchema>

export const promptListQuerySchema = z.object({
  query: z.string().max(500).optional(),
  /** `created`: the caller's own prompts; `shared`: those of other users. */
  view_option: z.enum(['created', 'shared', '']).optional(),
  tag: z.string().max(100).optional(),
  order_by: z.enum(['name', 'command', 'created_at', 'updated_at', '']).optional(),
  direction: z.enum(['asc', 'desc', '']).optional(),
  page: pageSchema.optional(),
})
export type PromptListQuery = z.output<typeof promptListQuerySchema>

const promptParams = z.object({ prompt_id: idSchema })
const versionParams = promptParams.extend({ history_id: idSchema })
const commandParams = z.object({ command: z.string().min(1).max(200) })

export const promptEndpoints = defineEndpoints(
  { domain: 'prompts', tag: 'Prompts', root: '/api/v1/prompts' },
  {
    list: {
      method: 'GET',
      path: '/',
      response: z.array(promptSchema),
      summary: 'Every prompt the caller may use, by command.',
    },
    page: {
      method: 'GET',
      path: '/list',
      query: promptListQuerySchema,
      response: z
        .object({ items: z.array(promptSchema), total: z.int() })
        .meta({ id: 'PromptPage' }),
      summary: 'The same, searched and sorted, 30 a page.',
    },
    tags: {
      method: 'GET',
      path: '/tags',
      response: z.array(z.string()),
      summary: 'Tags of the prompts the caller may use.',
    },
    create: {
      method: 'POST',
      path: '/create',
      permission: 'workspace.prompts',
      body: promptInputSchema,
      response: promptSchema,
      errors: [400, 403],
      summary: 'Stores a prompt; 400 when its command is taken.',
    },
    get: {
      method: 'GET',
      path: '/id/:prompt_id',
      params: promptParams,
      response: promptSchema,
      errors: [404],
      summary: 'One prompt.',
    },
    update: {
      method: 'POST',
      path: '/id/:prompt_id/update',
      params: promptParams,
      body: promptUpdateSchema,
      response: promptSchema,
      errors: [400, 403, 404, 409],
      summary: 'Changes a prompt and keeps the previous text as a version.',
    },
    updateMeta: {
      method: 'POST',
      path: '/id/:prompt_id/update/meta',
      params: promptParams,
      body: z.object({
        name: nameSchema.optional(),
        title: nameSchema.optional(),
        command: commandSchema.optional(),
        tags: tagsSchema.nullish(),
      }),
      response: promptSchema,
      errors: [400, 403, 404],
      summary: 'Changes name, command and tags without a new version.',
    },
    updateVersion: {
      method: 'POST',
      path: '/id/:prompt_id/update/version',
      params: promptParams,
      body: z.object({ version_id: idSchema }),
      response: promptSchema,
      errors: [403, 404],
      summary: 'Makes an earlier version the current one.',
    },
    toggle: {
      method: 'POST',
      path: '/id/:prompt_id/toggle',
      params: promptParams,
      response: promptSchema,
      errors: [403, 404],
      summary: 'Switches a prompt off, or on again.',
    },
    updateAccess: {
      method: 'POST',
      path: '/id/:prompt_id/access/update',
      params: promptParams,
      body: z.object(accessInput),
      response: promptSchema,
      errors: [403, 404],
      summary: 'Replaces the grants of a prompt.',
    },
    remove: {
      method: 'DELETE',
      path: '/id/:prompt_id/delete',
      params: promptParams,
      response: doneSchema,
      errors: [403, 404],
      summary: 'Deletes a prompt with its versions.',
    },
    history: {
      method: 'GET',
      path: '/id/:prompt_id/history',
      params: promptParams,
      query: z.object({ page: pageSchema.optional() }),
      response: z.array(promptVersionSchema),
      errors: [404],
      summary: 'The versions of a prompt, newest first, 30 a page.',
    },
    diff: {
      method: 'GET',
      path: '/id/:prompt_id/history/diff',
      params: promptParams,
      query: z.object({ from_id: idSchema, to_id: idSchema }),
      response: promptDiffSchema,
      errors: [404],
      summary: 'Compares two versions line by line.',
    },
    version: {
      method: 'GET',
      path: '/id/:prompt_id/history/:history_id',
      params: versionParams,
      response: promptVersionSchema,
      errors: [404],
      summary: 'One version.',
    },
    removeVersion: {
      method: 'DELETE',
      path: '/id/:prompt_id/history/:history_id',
      params: versionParams,
      response: doneSchema,
      errors: [400, 403, 404],
      summary: 'Deletes a version; 400 for the one in use.',
    },
    getByCommand: {
      method: 'GET',
      path: '/command/:command',
      params: commandParams,
      response: promptSchema,
      errors: [404],
      summary: 'One prompt by its command, for older clients.',
    },
    updateByCommand: {
      method: 'POST',
      path: '/command/:command/update',
      params: commandParams,
      body: promptUpdateSchema,
      response: promptSchema,
      errors: [400, 403, 404],
      summary: 'Changes a prompt by its command, for older clients.',
    },
    removeByCommand: {
      method: 'DELETE',
      path: '/command/:command/delete',
      params: commandParams,
      response: doneSchema,
      errors: [403, 404],
      summary: 'Deletes a prompt by its command, for older clients.',
    },
  },
)
