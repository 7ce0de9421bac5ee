import { accessInput, accessOutput } from './access.ts'
import { authorSchema, flagSchema, idSchema, jsonObjectSchema, pageSchema } from './common.ts'
import { defineEndpoint } from './endpoint.ts'
import { z } from './lazy-zod.ts'

/** `processing` while a file of it is read, else `error` when one failed. Only `processed` ones should be used in completions. */
export const knowledgeStatusSchema = z.enum(['processed', 'processing', 'error'])
export type KnowledgeStatus = z.output<typeof knowledgeStatusSchema>

/** A file of a collection, without its text. Times are unix seconds, `size` counts bytes. */
export const knowledgeFileSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    hash: z.string(),
    filename: z.string(),
    data: z.object({ status: z.string().optional(), error: z.string().optional() }),
    meta: z.object({
      name: z.string(),
      content_type: z.string(),
      size: z.number().int(),
      data: jsonObjectSchema,
      collection_name: z.string().nullable(),
    }),
    /** The directory of the collection it is in; null at the top. */
    directory_id: z.string().nullable(),
    /** When it was put into the collection. */
    added_at: z.number().int(),
    created_at: z.number().int(),
    updated_at: z.number().int(),
  })
  .meta({ id: 'KnowledgeFile' })
export type KnowledgeFile = z.output<typeof knowledgeFileSchema>

/** A directory inside a collection. */
export const knowledgeDirectorySchema = z
  .object({
    id: z.string(),
    knowledge_id: z.string(),
    parent_id: z.string().nullable(),
    name: z.string(),
    created_at: z.number().int(),
    updated_at: z.number().int(),
  })
  .meta({ id: 'KnowledgeDirectory' })
export type KnowledgeDirectory = z.output<typeof knowledgeDirectorySchema>

/** A collection of files. `type` is always `collection`. Times are unix seconds. */
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
    file_count: z.number().int(),
    /** Null in pages of collections. */
    files: z.array(knowledgeFileSchema).nullable(),
    directories: z.array(knowledgeDirectorySchema).optional(),
    created_at: z.number().int(),
    updated_at: z.number().int(),
    /** Whether the caller may change it. */
    write_access: z.boolean(),
    user: authorSchema,
    ...accessOutput,
  })
  .meta({ id: 'Knowledge' })
export type KnowledgeRecord = z.output<typeof knowledgeSchema>

/** A collection with what did not work out for some of the files it was given. */
export const knowledgeWithWarningsSchema = knowledgeSchema
  .extend({ warnings: z.object({ message: z.string(), errors: z.array(z.string()) }).optional() })
  .meta({ id: 'KnowledgeWithWarnings' })

const nameSchema = z.string().trim().min(1).max(500)
const descriptionSchema = z.string().max(20_000)
export const knowledgeInputSchema = z
  .object({ name: nameSchema, description: descriptionSchema.nullish(), meta: jsonObjectSchema.nullish(), ...accessInput })
  .meta({ id: 'KnowledgeInput', example: { name: 'Manuals', description: 'How our machines are used' } })
export type KnowledgeInput = z.output<typeof knowledgeInputSchema>
export const knowledgeUpdateSchema = z
  .object({ name: nameSchema.optional(), description: descriptionSchema.nullish(), meta: jsonObjectSchema.nullish(), ...accessInput })
  .meta({ id: 'KnowledgeUpdate' })
export type KnowledgeUpdate = z.output<typeof knowledgeUpdateSchema>

export const knowledgeListQuerySchema = z.object({
  query: z.string().max(500).optional(),
  /** `created`: own collections; `shared`: those of others. */
  view_option: z.enum(['created', 'shared', '']).optional(),
  page: pageSchema.optional(),
})
export type KnowledgeListQuery = z.output<typeof knowledgeListQuerySchema>

export const knowledgeFilesQuerySchema = z.object({
  query: z.string().max(500).optional(),
  /** `created`: files the caller uploaded; `shared`: those of others. */
  view_option: z.enum(['created', 'shared', '']).optional(),
  /** Files right inside a directory; empty for those at the top. */
  directory_id: z.string().max(256).optional(),
  order_by: z.enum(['name', 'filename', 'created_at', 'updated_at', '']).optional(),
  direction: z.enum(['asc', 'desc', '']).optional(),
  page: pageSchema.optional(),
})
export type KnowledgeFilesQuery = z.output<typeof knowledgeFilesQuerySchema>

/** A file as somebody has it outside, to be compared with a collection. `path` has slashes, `checksum` is its SHA-256. */
const syncEntrySchema = z.object({
  path: z.string().min(1).max(4096),
  filename: z.string().max(1000).optional(),
  checksum: z.string().max(128).nullish(),
  size: z.number().int().min(0).nullish(),
})
export const syncInputSchema = z
  .object({ files: z.array(syncEntrySchema).max(100_000).optional(), manifest: z.array(syncEntrySchema).max(100_000).optional() })
  .meta({ id: 'KnowledgeSyncInput', example: { files: [{ path: 'guide/start.md', checksum: 'e3b0c442…' }] } })
export type SyncInput = z.output<typeof syncInputSchema>
const syncedSchema = z.object({ path: z.string(), file_id: z.string() })
/** What would make a collection the same as the files that were sent. */
export const syncDiffSchema = z
  .object({
    /** Paths that have to be uploaded and added. */
    added: z.array(z.object({ path: z.string() })),
    /** Paths whose content differs; the file named here has to be replaced. */
    modified: z.array(syncedSchema),
    /** Files that are in the collection alone. */
    deleted: z.array(syncedSchema),
    unmodified: z.array(syncedSchema),
    /** Directories nothing that was sent is in. */
    deleted_directories: z.array(z.object({ path: z.string(), directory_id: z.string() })),
  })
  .meta({ id: 'KnowledgeSyncDiff' })
export type SyncDiff = z.output<typeof syncDiffSchema>

const root = '/api/v1/knowledge'
const tag = 'Knowledge'
const params = z.object({ knowledge_id: idSchema })
const directoryParams = z.object({ knowledge_id: idSchema, directory_id: idSchema })
const one = `${root}/:knowledge_id`
const pageOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item), total: z.number().int() })
const fileBody = z.object({ file_id: idSchema, directory_id: z.string().max(256).nullish() }).meta({ id: 'KnowledgeFileInput' })
const bodyLimit = 32 * 1024 * 1024

export const knowledgeEndpoints = {
  list: defineEndpoint({
    id: 'knowledge.list',
    tag,
    method: 'GET',
    path: `${root}/`,
    aliases: [`${root}/search`],
    query: knowledgeListQuerySchema,
    response: pageOf(knowledgeSchema).meta({ id: 'KnowledgePage' }),
    summary: 'Collections the caller may read, the last changed first, 30 a page.',
  }),
  all: defineEndpoint({
    id: 'knowledge.all',
    tag,
    method: 'GET',
    path: `${root}/list`,
    query: z.object({ query: z.string().max(500).optional(), view_option: z.enum(['created', 'shared', '']).optional() }),
    response: z.array(knowledgeSchema),
    summary: 'All collections the caller may read with their files, as an array.',
  }),
  searchFiles: defineEndpoint({
    id: 'knowledge.searchFiles',
    tag,
    method: 'GET',
    path: `${root}/search/files`,
    query: z.object({ query: z.string().max(500).optional(), page: pageSchema.optional() }),
    response: pageOf(
      knowledgeFileSchema.extend({ collection: z.object({ id: z.string(), name: z.string(), description: z.string() }) }),
    ).meta({ id: 'KnowledgeFileHits' }),
    summary: 'Files by name in all collections the caller may read, 30 a page.',
  }),
  create: defineEndpoint({
    id: 'knowledge.create',
    tag,
    method: 'POST',
    path: `${root}/create`,
    permission: 'workspace.knowledge',
    body: knowledgeInputSchema,
    response: knowledgeSchema,
    errors: [400, 403],
    summary: 'Makes a collection.',
  }),
  reindexAll: defineEndpoint({
    id: 'knowledge.reindexAll',
    tag,
    method: 'POST',
    path: `${root}/reindex`,
    auth: 'admin',
    response: z.literal(true),
    summary: 'Embeds the files of all collections again, in the background.',
  }),
  reindexMetadata: defineEndpoint({
    id: 'knowledge.reindexMetadata',
    tag,
    method: 'POST',
    path: `${root}/metadata/reindex`,
    auth: 'admin',
    response: z.literal(true),
    summary: 'Puts every file of every collection back into what is searched; nothing is embedded again.',
  }),
  get: defineEndpoint({
    id: 'knowledge.get',
    tag,
    method: 'GET',
    path: one,
    params,
    response: knowledgeSchema,
    errors: [404],
    summary: 'One collection with its files and directories.',
  }),
  update: defineEndpoint({
    id: 'knowledge.update',
    tag,
    method: 'POST',
    path: `${one}/update`,
    params,
    body: knowledgeUpdateSchema,
    response: knowledgeSchema,
    errors: [400, 403, 404],
    summary: 'Renames a collection or changes its description and who may use it.',
  }),
  updateAccess: defineEndpoint({
    id: 'knowledge.updateAccess',
    tag,
    method: 'POST',
    path: `${one}/access/update`,
    params,
    body: z.object(accessInput),
    response: knowledgeSchema,
    errors: [403, 404],
    summary: 'Replaces who may read and change a collection.',
  }),
  uses: defineEndpoint({
    id: 'knowledge.uses',
    tag,
    method: 'GET',
    path: `${one}/uses`,
    params,
    response: z
      .object({ models: z.array(z.object({ id: z.string(), name: z.string() })), folders: z.number().int() })
      .meta({ id: 'KnowledgeUses' }),
    errors: [404],
    summary: 'Which models the caller may see, and how many folders of theirs, use a collection.',
  }),
  files: defineEndpoint({
    id: 'knowledge.files',
    tag,
    method: 'GET',
    path: `${one}/files`,
    params,
    query: knowledgeFilesQuerySchema,
    response: pageOf(knowledgeFileSchema).meta({ id: 'KnowledgeFilePage' }),
    errors: [404],
    summary: 'Files of a collection, 30 a page.',
  }),
  pendingFiles: defineEndpoint({
    id: 'knowledge.pendingFiles',
    tag,
    method: 'GET',
    path: `${one}/files/pending`,
    params,
    response: z.array(knowledgeFileSchema),
    errors: [404],
    summary: 'Files of a collection that are still being read.',
  }),
  addFile: defineEndpoint({
    id: 'knowledge.addFile',
    tag,
    method: 'POST',
    path: `${one}/file/add`,
    params,
    body: fileBody,
    response: knowledgeSchema,
    errors: [400, 403, 404],
    summary: 'Puts a file the caller may read into a collection; 400 before it is processed, without text, or with the same content again.',
  }),
  updateFile: defineEndpoint({
    id: 'knowledge.updateFile',
    tag,
    method: 'POST',
    path: `${one}/file/update`,
    params,
    body: fileBody,
    response: knowledgeSchema,
    errors: [400, 403, 404],
    summary: 'Takes a changed file of a collection in again.',
  }),
  removeFile: defineEndpoint({
    id: 'knowledge.removeFile',
    tag,
    method: 'POST',
    path: `${one}/file/remove`,
    params,
    query: z.object({ delete_file: flagSchema.optional() }),
    body: z.object({ file_id: idSchema }),
    response: knowledgeSchema,
    errors: [403, 404],
    summary:
      'Takes a file out of a collection. It is deleted too, unless `delete_file` is false, another collection has it, or it is somebody else’s.',
  }),
  addFiles: defineEndpoint({
    id: 'knowledge.addFiles',
    tag,
    method: 'POST',
    path: `${one}/files/batch/add`,
    params,
    bodyLimit,
    body: z
      .array(z.object({ file_id: idSchema, directory_id: z.string().max(256).nullish() }))
      .max(10_000)
      .meta({ example: [{ file_id: '5a2f4a0e-3f0c-4f7e-9f1e-2b6f0d1c7a55' }] }),
    response: knowledgeWithWarningsSchema,
    errors: [403, 404],
    summary: 'Puts many files into a collection; those that cannot be are named in `warnings`.',
  }),
  moveFile: defineEndpoint({
    id: 'knowledge.moveFile',
    tag,
    method: 'POST',
    path: `${one}/file/move`,
    params,
    body: fileBody,
    response: knowledgeSchema,
    errors: [403, 404],
    summary: 'Moves a file into another directory of its collection; null is the top.',
  }),
  createDirectory: defineEndpoint({
    id: 'knowledge.createDirectory',
    tag,
    method: 'POST',
    path: `${one}/dirs/create`,
    params,
    body: z
      .object({ name: nameSchema, parent_id: z.string().max(256).nullish() })
      .meta({ id: 'KnowledgeDirectoryInput', example: { name: 'Pumps', parent_id: null } }),
    response: knowledgeDirectorySchema,
    errors: [400, 403, 404],
    summary: 'Makes a directory in a collection; its name has to be new beside its neighbours.',
  }),
  updateDirectory: defineEndpoint({
    id: 'knowledge.updateDirectory',
    tag,
    method: 'POST',
    path: `${one}/dirs/:directory_id/update`,
    params: directoryParams,
    body: z.object({ name: nameSchema.optional(), parent_id: z.string().max(256).nullish() }),
    response: knowledgeDirectorySchema,
    errors: [400, 403, 404],
    summary: 'Renames or moves a directory, never into itself.',
  }),
  removeDirectory: defineEndpoint({
    id: 'knowledge.removeDirectory',
    tag,
    method: 'DELETE',
    path: `${one}/dirs/:directory_id/delete`,
    params: directoryParams,
    response: z.literal(true),
    errors: [403, 404],
    summary: 'Deletes a directory with those in it; their files move up to where it was.',
  }),
  compare: defineEndpoint({
    id: 'knowledge.compare',
    tag,
    method: 'POST',
    path: `${one}/sync/diff`,
    params,
    bodyLimit,
    body: syncInputSchema,
    response: syncDiffSchema,
    errors: [404],
    summary: 'Compares a folder outside with a collection, by path and checksum. Changes nothing.',
  }),
  cleanUp: defineEndpoint({
    id: 'knowledge.cleanUp',
    tag,
    method: 'POST',
    path: `${one}/sync/cleanup`,
    params,
    bodyLimit,
    body: z
      .object({ file_ids: z.array(idSchema).max(100_000).optional(), directory_ids: z.array(idSchema).max(100_000).optional() })
      .meta({ id: 'KnowledgeCleanUp', example: { file_ids: [] } }),
    response: z.object({ status: z.literal(true), removed: z.number().int() }),
    errors: [403, 404],
    summary: 'Takes files and empty directories that are gone outside out of a collection; own files no other collection has are deleted.',
  }),
  reset: defineEndpoint({
    id: 'knowledge.reset',
    tag,
    method: 'POST',
    path: `${one}/reset`,
    params,
    response: knowledgeSchema,
    errors: [403, 404],
    summary: 'Takes all files and directories out of a collection. The files stay.',
  }),
  reindex: defineEndpoint({
    id: 'knowledge.reindex',
    tag,
    method: 'POST',
    path: `${one}/reindex`,
    params,
    response: z.literal(true),
    errors: [403, 404],
    summary: 'Embeds the files of a collection again, in the background.',
  }),
  export: defineEndpoint({
    id: 'knowledge.export',
    tag,
    method: 'GET',
    path: `${one}/export`,
    auth: 'admin',
    reply: 'stream',
    replyTypes: ['application/zip'],
    params,
    response: z.unknown(),
    errors: [404],
    summary: 'The files of a collection in its directories, as a zip.',
  }),
  remove: defineEndpoint({
    id: 'knowledge.remove',
    tag,
    method: 'DELETE',
    path: `${one}/delete`,
    params,
    query: z.object({ delete_files: flagSchema.optional() }),
    response: z.literal(true),
    errors: [403, 404],
    summary: 'Deletes a collection. With `delete_files` the caller’s own files that no other collection has go too.',
  }),
}
