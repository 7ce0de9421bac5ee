import { accessInput, accessOutput } from './access.ts'
import {
  authorSchema,
  doneSchema,
  flagSchema,
  idSchema,
  jsonObjectSchema,
  knownVersion,
  pageSchema,
  shownNameSchema,
} from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { fileMetaSchema } from './files.ts'
import { z } from './lazy-zod.ts'

/**
 * `processing` while one of its files is read, otherwise `error` if one failed. Only `processed`
 * ones should be used in completions.
 */
export const knowledgeStatusSchema = z.enum(['processed', 'processing', 'error'])
export type KnowledgeStatus = z.output<typeof knowledgeStatusSchema>

/** File of a collection, without its text. Times are unix seconds. */
export const knowledgeFileSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    hash: z.string(),
    filename: z.string(),
    data: z.object({ status: z.string().optional(), error: z.string().optional() }),
    meta: fileMetaSchema,
    /** Directory of the collection that contains it; null at the top. */
    directory_id: z.string().nullable(),
    /** Owner of the file; only in pages of files. */
    user: authorSchema.optional(),
    /** Time at which it was added to the collection. */
    added_at: z.int(),
    created_at: z.int(),
    updated_at: z.int(),
  })
  .meta({ id: 'KnowledgeFile' })
export type KnowledgeFile = z.output<typeof knowledgeFileSchema>

/** Directory inside a collection. */
export const knowledgeDirectorySchema = z
  .object({
    id: z.string(),
    knowledge_id: z.string(),
    /** Id of the creator. */
    user_id: z.string(),
    parent_id: z.string().nullable(),
    name: z.string(),
    created_at: z.int(),
    updated_at: z.int(),
  })
  .meta({ id: 'KnowledgeDirectory' })
export type KnowledgeDirectory = z.output<typeof knowledgeDirectorySchema>

/** Collection of files. `type` is always `collection`. Times are unix seconds. */
export const knowledgeSchema = z
  .object({
    id: z.string(),
    type: z.literal('collection'),
    status: knowledgeStatusSchema,
    user_id: z.string(),
    name: z.string(),
    description: z.string(),
    data: z.object({ file_ids: z.array(z.string()).optional() }),
    meta: jsonObjectSchema,
    file_count: z.int(),
    /** Null in pages of collections. */
    files: z.array(knowledgeFileSchema).nullable(),
    directories: z.array(knowledgeDirectorySchema).optional(),
    created_at: z.int(),
    updated_at: z.int(),
    /** True if the caller may change it. */
    write_access: z.boolean(),
    user: authorSchema,
    ...accessOutput,
  })
  .meta({ id: 'Knowledge' })
export type KnowledgeRecord = z.output<typeof knowledgeSchema>

const nameSchema = shownNameSchema(500)
const descriptionSchema = z.string().max(20_000)
export const knowledgeInputSchema = z
  .object({
    name: nameSchema,
    description: descriptionSchema.nullish(),
    meta: jsonObjectSchema.nullish(),
    ...accessInput,
  })
  .meta({
    id: 'KnowledgeInput',
    example: { name: 'Manuals', description: 'How our machines are used' },
  })
export type KnowledgeInput = z.output<typeof knowledgeInputSchema>
export const knowledgeUpdateSchema = z
  .object({
    name: nameSchema.optional(),
    description: descriptionSchema.nullish(),
    meta: jsonObjectSchema.nullish(),
    ...knownVersion,
    ...accessInput,
  })
  .meta({ id: 'KnowledgeUpdate' })
export type KnowledgeUpdate = z.output<typeof knowledgeUpdateSchema>

export const knowledgeListQuerySchema = z.object({
  query: z.string().max(500).optional(),
  /** `created`: the caller's own collections; `shared`: those of other users. */
  view_option: z.enum(['created', 'shared', '']).optional(),
  page: pageSchema.optional(),
})
export type KnowledgeListQuery = z.output<typeof knowledgeListQuerySchema>

const params = z.object({ knowledge_id: idSchema })
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.int() })

export const knowledgeEndpoints = defineEndpoints(
  { domain: 'knowledge', tag: 'Knowledge', root: '/api/v1/knowledge' },
  {
    list: {
      method: 'GET',
      path: '/',
      query: knowledgeListQuerySchema,
      response: pageOf(knowledgeSchema).meta({ id: 'KnowledgePage' }),
      summary: 'Collections the caller may read, the last changed first, 30 a page.',
    },
    search: {
      method: 'GET',
      path: '/search',
      query: knowledgeListQuerySchema,
      response: pageOf(knowledgeSchema).meta({ id: 'KnowledgeSearchPage' }),
      summary: 'The same list under the name that search boxes use.',
    },
    all: {
      method: 'GET',
      path: '/list',
      query: z.object({
        query: z.string().max(500).optional(),
        view_option: z.enum(['created', 'shared', '']).optional(),
      }),
      response: z.array(knowledgeSchema),
      summary: 'All collections the caller may read with their files, as an array.',
    },
    searchFiles: {
      method: 'GET',
      path: '/search/files',
      query: z.object({ query: z.string().max(500).optional(), page: pageSchema.optional() }),
      response: pageOf(
        knowledgeFileSchema.extend({
          collection: z.object({ id: z.string(), name: z.string(), description: z.string() }),
        }),
      ).meta({ id: 'KnowledgeFileHits' }),
      summary: 'Files by name in all collections the caller may read, 30 a page.',
    },
    create: {
      method: 'POST',
      path: '/create',
      permission: 'workspace.knowledge',
      body: knowledgeInputSchema,
      response: knowledgeSchema,
      errors: [400, 403],
      summary: 'Creates a collection.',
    },
    reindexAll: {
      method: 'POST',
      path: '/reindex',
      auth: 'admin',
      response: doneSchema,
      summary: 'Embeds the files of all collections again, in the background.',
    },
    reindexMetadata: {
      method: 'POST',
      path: '/metadata/reindex',
      auth: 'admin',
      response: z.object({ total: z.int(), success: z.int() }),
      summary: 'Adds every file of every collection to the index again; nothing is embedded again.',
    },
    get: {
      method: 'GET',
      path: '/:knowledge_id',
      params,
      response: knowledgeSchema,
      errors: [404],
      summary: 'One collection with its files and directories.',
    },
    update: {
      method: 'POST',
      path: '/:knowledge_id/update',
      params,
      body: knowledgeUpdateSchema,
      response: knowledgeSchema,
      errors: [400, 403, 404, 409],
      summary: 'Changes name, description or grants of a collection.',
    },
    updateAccess: {
      method: 'POST',
      path: '/:knowledge_id/access/update',
      params,
      body: z.object(accessInput),
      response: knowledgeSchema,
      errors: [403, 404],
      summary: 'Replaces the grants of a collection.',
    },
    uses: {
      method: 'GET',
      path: '/:knowledge_id/uses',
      params,
      response: z
        .object({
          models: z.array(z.object({ id: z.string(), name: z.string() })),
          folders: z.int(),
        })
        .meta({ id: 'KnowledgeUses' }),
      errors: [404],
      summary: 'Models the caller may see, and the number of own folders, that use a collection.',
    },
    reset: {
      method: 'POST',
      path: '/:knowledge_id/reset',
      params,
      response: knowledgeSchema,
      errors: [403, 404],
      summary: 'Removes all files and directories from a collection. The files stay.',
    },
    reindex: {
      method: 'POST',
      path: '/:knowledge_id/reindex',
      params,
      response: doneSchema,
      errors: [403, 404],
      summary: 'Embeds the files of a collection again, in the background.',
    },
    export: {
      method: 'GET',
      path: '/:knowledge_id/export',
      opensByCookie: true,
      auth: 'admin',
      reply: 'stream',
      replyTypes: ['application/zip'],
      params,
      response: z.unknown(),
      errors: [404],
      summary: 'The files of a collection in its directories, as a zip.',
    },
    remove: {
      method: 'DELETE',
      path: '/:knowledge_id/delete',
      params,
      query: z.object({ delete_files: flagSchema.optional() }),
      response: doneSchema,
      errors: [403, 404],
      summary:
        'Deletes a collection. `delete_files` also deletes the caller’s own files that are in no other collection.',
    },
  },
)
