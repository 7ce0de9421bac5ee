import { z } from './lazy-zod.ts'
import { accessInput, accessOutput } from './access.ts'
import {
  authorSchema,
  doneSchema,
  flagSchema,
  jsonObjectSchema,
  knownVersion,
  pageSchema,
  pathTextSchema,
  shownNameSchema,
} from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { modelDefaultsEndpoints, modelMetaSchema, modelTagsSchema } from './model-defaults.ts'
import { modelPriceEndpoints } from './model-prices.ts'

const MEBIBYTE = 1024 * 1024

/**
 * Details of a model in a list: the stored row without its parameters if there is one, otherwise
 * the data of the connection.
 */
const listedInfoSchema = z.looseObject({
  base_model_id: z.string().nullish(),
  is_active: z.boolean().optional(),
  meta: z.looseObject({
    description: z.string().optional(),
    capabilities: jsonObjectSchema.optional(),
    hidden: z.boolean().optional(),
  }),
})

/**
 * One row of the model list. `connection_type` states whether prompts leave this computer, unless
 * its connection overrides it.
 */
export const modelSchema = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    object: z.literal('model'),
    created: z.int(),
    owned_by: z.string(),
    connection_type: z.enum(['local', 'external']),
    /** Name of the connection the model comes from, as shown in pickers. */
    connection_name: z.string(),
    tags: modelTagsSchema,
    /** Present on workspace models: a base model with its own instructions and parameters. */
    preset: z.literal(true).optional(),
    /** Present on entries that stand for a random one of several models. */
    arena: z.literal(true).optional(),
    /**
     * Present while the connection of the model does not respond; a call to it returns the reason
     * with 502 or 503.
     */
    unavailable: z.literal(true).optional(),
    /**
     * Present in the list for administrators where everyone signed in may use the model as long as
     * it is shared with nobody in particular.
     */
    for_everybody: z.literal(true).optional(),
    info: listedInfoSchema,
    actions: z.array(jsonObjectSchema),
    filters: z.array(jsonObjectSchema),
  })
  .meta({ id: 'Model' })
export type Model = z.output<typeof modelSchema>

/**
 * Stored model: a workspace model (with `base_model_id`), or an administrator's changes to a model
 * of a connection (without, under the id of that model). Times are unix seconds.
 */
export const modelRowSchema = z
  .looseObject({
    id: z.string(),
    user_id: z.string(),
    base_model_id: z.string().nullable(),
    name: z.string(),
    params: jsonObjectSchema,
    meta: modelMetaSchema,
    ...accessOutput,
    is_active: z.boolean(),
    /** True if the caller may change it. */
    write_access: z.boolean(),
    /** Owner; null if the account no longer exists. */
    user: authorSchema,
    created_at: z.int(),
    updated_at: z.int(),
  })
  .meta({ id: 'ModelRow' })
export type ModelRow = z.output<typeof modelRowSchema>

/**
 * Model info (specification, Resources › Model); the map of the reference system is in
 * `meta.capability_flags`.
 */
export const modelInfoSchema = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    /** Model of the connection that answers. */
    model: z.string(),
    base_model_id: z.string().nullable(),
    meta: z.looseObject({
      description: z.string().nullable(),
      capabilities: z.array(z.string()),
      capability_flags: z.record(z.string(), z.boolean()),
      context_length: z.int().nullable(),
      max_output_tokens: z.int().nullable(),
    }),
    /** Without `system` for callers who may not change the model. */
    params: jsonObjectSchema,
    user_id: z.string(),
    is_active: z.boolean(),
    ...accessOutput,
    write_access: z.boolean(),
    created_at: z.int(),
    updated_at: z.int(),
  })
  .meta({ id: 'ModelInfo' })
export type ModelInfo = z.output<typeof modelInfoSchema>

/**
 * Maximum length of the id of a stored model; a longer one is rejected with 400, as in the
 * reference system.
 */
export const MODEL_ID_LENGTH = 256
const modelIdSchema = z.string().min(1).max(2000)
const nameSchema = shownNameSchema(500)

/**
 * Model metadata in a request: capabilities as map or as list of names; `capability_flags`, as read
 * from one model, overrides both.
 */
const metaInputSchema = z.looseObject({
  capabilities: z.union([jsonObjectSchema, z.array(z.string())]).nullish(),
  capability_flags: jsonObjectSchema.nullish(),
  tags: modelTagsSchema.max(100).nullish(),
  hidden: z.boolean().nullish(),
  profile_image_url: z.string().nullish(),
  description: z.string().nullish(),
})

const modelFields = {
  base_model_id: z.string().max(512).nullish(),
  name: nameSchema,
  meta: metaInputSchema.nullish(),
  params: jsonObjectSchema.nullish(),
  ...accessInput,
  is_active: z.boolean().nullish(),
}

/** Model in a request; further fields, such as those of a row that was read before, are ignored. */
export const modelInputSchema = z.object({ id: modelIdSchema, ...modelFields }).meta({
  id: 'ModelInput',
  example: {
    id: 'proofreader',
    base_model_id: 'llama3.2',
    name: 'Proofreader',
    meta: { description: 'Corrects spelling and grammar.', capabilities: { vision: false } },
    params: { system: 'Correct the text and change nothing else.', temperature: 0.2 },
    access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }],
  },
})
export type ModelInput = z.output<typeof modelInputSchema>

/**
 * Changes of a model: omitted fields stay unchanged. The id may be given in the query, as in older
 * releases.
 */
const modelChangesSchema = z
  .object({
    ...modelFields,
    ...knownVersion,
    id: modelIdSchema.optional(),
    name: nameSchema.optional(),
  })
  .meta({ id: 'ModelChanges' })
export type ModelChanges = z.output<typeof modelChangesSchema>

/** Model of an export; times are kept for models that are new here. */
const importedModelSchema = modelInputSchema.extend({
  created_at: z.int().min(0).optional(),
  updated_at: z.int().min(0).optional(),
})
export type ImportedModel = z.output<typeof importedModelSchema>

/** Maximum number of imported models, because all of them are stored in one transaction. */
const MOST_IMPORTED = 1000
const importSchema = z.object({ models: z.array(importedModelSchema).max(MOST_IMPORTED) })

const byId = z.object({ id: modelIdSchema })
const byOptionalId = z.object({ id: modelIdSchema.optional() })

export const modelEndpoints = {
  ...modelPriceEndpoints,
  ...modelDefaultsEndpoints,
  ...defineEndpoints(
    { domain: 'models', tag: 'Models', root: '/api' },
    {
      list: {
        method: 'GET',
        path: '/models',
        aliases: ['/api/v1/models', '/v1/models'],
        errorDialect: 'chat-completions',
        query: z.object({ refresh: flagSchema.optional() }),
        response: z
          .object({ object: z.literal('list'), data: z.array(modelSchema) })
          .meta({ id: 'ModelList' }),
        summary:
          'Every model the caller may use. Models of a connection that does not respond are left out without delay.',
      },
      one: {
        method: 'GET',
        path: '/models/*model_id',
        aliases: ['/api/v1/models/*model_id', '/v1/models/*model_id'],
        errorDialect: 'chat-completions',
        params: z.object({ model_id: pathTextSchema }),
        response: modelSchema,
        errors: [404],
        summary:
          'One model the caller may use. Its id may contain slashes; ids that are part of other paths are only in the list.',
      },
      base: {
        method: 'GET',
        path: '/models/base',
        auth: 'admin',
        query: z.object({ refresh: flagSchema.optional() }),
        response: z.object({ object: z.literal('list'), data: z.array(modelSchema) }),
        summary: 'The models of all connections, hidden ones included.',
      },
      unload: {
        method: 'POST',
        path: '/models/unload',
        auth: 'admin',
        body: z.object({ model: modelIdSchema }),
        response: z.object({ status: z.literal(true) }),
        errors: [400, 502, 503, 504],
        summary: 'Frees the memory a model takes in the local runtime.',
      },
      workspace: {
        method: 'GET',
        path: '/v1/models/list',
        query: z.object({
          query: z.string().max(500).optional(),
          view_option: z.enum(['', 'created', 'shared']).optional(),
          tag: z.string().max(200).optional(),
          order_by: z.enum(['', 'name', 'created_at', 'updated_at']).optional(),
          direction: z.enum(['', 'asc', 'desc']).optional(),
          page: pageSchema.optional(),
        }),
        response: z.object({ items: z.array(modelRowSchema), total: z.int() }),
        summary: 'Workspace models the caller may read, 30 a page, the last changed first.',
      },
      overrides: {
        method: 'GET',
        path: '/v1/models/base',
        auth: 'admin',
        response: z.array(modelRowSchema),
        summary: 'Changes to models of connections.',
      },
      tags: {
        method: 'GET',
        path: '/v1/models/tags',
        response: z.array(z.string()),
        summary: 'Tags of the workspace models the caller may read.',
      },
      export: {
        method: 'GET',
        path: '/v1/models/export',
        permission: 'workspace.models_export',
        response: z.array(modelRowSchema),
        errors: [403],
        summary: 'Every stored model the caller may change, for import elsewhere.',
      },
      import: {
        method: 'POST',
        path: '/v1/models/import',
        permission: 'workspace.models_import',
        body: importSchema,
        bodyLimit: 64 * MEBIBYTE,
        response: doneSchema,
        errors: [400, 403, 413],
        summary: 'Adds and updates models, all of them or none.',
      },
      sync: {
        method: 'POST',
        path: '/v1/models/sync',
        auth: 'admin',
        body: importSchema,
        bodyLimit: 64 * MEBIBYTE,
        response: z.array(modelRowSchema),
        errors: [400, 413],
        summary: 'Replaces all stored models by these.',
      },
      create: {
        method: 'POST',
        path: '/v1/models/create',
        permission: 'workspace.models',
        body: modelInputSchema,
        bodyLimit: 4 * MEBIBYTE,
        takesRecord: true,
        response: modelRowSchema,
        errors: [400, 403, 413],
        summary:
          'Creates a workspace model; for administrators also changes to a model of a connection.',
      },
      info: {
        method: 'GET',
        path: '/v1/models/model',
        query: byId,
        response: modelInfoSchema,
        errors: [404],
        summary: 'One model in detail.',
      },
      update: {
        method: 'POST',
        path: '/v1/models/model/update',
        query: byOptionalId,
        body: modelChangesSchema,
        bodyLimit: 4 * MEBIBYTE,
        takesRecord: true,
        response: modelRowSchema,
        errors: [400, 403, 404, 409, 413],
        summary:
          'Changes a stored model; for administrators also a model of a connection that was not changed before.',
      },
      toggle: {
        method: 'POST',
        path: '/v1/models/model/toggle',
        query: byId,
        response: modelRowSchema,
        errors: [404],
        summary: 'Hides a model from lists, or shows it again.',
      },
      updateAccess: {
        method: 'POST',
        path: '/v1/models/model/access/update',
        body: z.object({ id: modelIdSchema, name: nameSchema.nullish(), ...accessInput }),
        response: modelRowSchema,
        errors: [404],
        summary:
          'Replaces the grants of a model. Without any, only administrators see a model of a connection.',
      },
      remove: {
        method: 'POST',
        path: '/v1/models/model/delete',
        query: byOptionalId,
        body: byOptionalId,
        response: doneSchema,
        errors: [400, 404],
        summary:
          'Removes a stored model; a model of a connection is then as the connection lists it.',
      },
      removeByQuery: {
        method: 'DELETE',
        path: '/v1/models/model/delete',
        query: byId,
        response: doneSchema,
        errors: [404],
        summary: 'The same, for clients of older releases.',
      },
      removeAll: {
        method: 'DELETE',
        path: '/v1/models/delete/all',
        auth: 'admin',
        response: doneSchema,
        summary: 'Removes every stored model.',
      },
      profileImage: {
        method: 'GET',
        path: '/v1/models/model/profile/image',
        opensByCookie: true,
        reply: 'stream',
        replyTypes: ['image/*'],
        query: byId,
        response: z.unknown(),
        errors: [404],
        summary: 'The picture of a model.',
      },
    },
  ),
}
