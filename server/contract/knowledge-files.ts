import { flagSchema, idSchema, pageSchema, shownNameSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { knowledgeDirectorySchema, knowledgeFileSchema, knowledgeSchema } from './knowledge.ts'
import { z } from './lazy-zod.ts'

/** Collection with warnings about the files that could not be added. */
export const knowledgeWithWarningsSchema = knowledgeSchema
  .extend({ warnings: z.object({ message: z.string(), errors: z.array(z.string()) }).optional() })
  .meta({ id: 'KnowledgeWithWarnings' })

export const knowledgeFilesQuerySchema = z.object({
  query: z.string().max(500).optional(),
  /** `created`: files the caller uploaded; `shared`: those of other users. */
  view_option: z.enum(['created', 'shared', '']).optional(),
  /** Limits the list to files directly inside a directory; empty for those at the top. */
  directory_id: z.string().max(256).optional(),
  order_by: z.enum(['name', 'filename', 'created_at', 'updated_at', '']).optional(),
  direction: z.enum(['asc', 'desc', '']).optional(),
  page: pageSchema.optional(),
})
export type KnowledgeFilesQuery = z.output<typeof knowledgeFilesQuerySchema>

/**
 * External file to be compared with a collection. `path` is its folder, with slashes and empty at
 * the top; `checksum` is its SHA-256.
 */
const syncEntrySchema = z.object({
  path: z.string().max(4096),
  filename: z.string().min(1).max(1000),
  checksum: z.string().max(128).nullish(),
  size: z.int().min(0).nullish(),
})
export const syncInputSchema = z
  .object({
    files: z.array(syncEntrySchema).max(100_000).optional(),
    manifest: z.array(syncEntrySchema).max(100_000).optional(),
  })
  .meta({
    id: 'KnowledgeSyncInput',
    example: { files: [{ filename: 'start.md', path: 'guide', checksum: 'e3b0c442…' }] },
  })
export type SyncInput = z.output<typeof syncInputSchema>
/** Changes that would make a collection identical to the submitted files. */
export const syncDiffSchema = z
  .object({
    /** Files to be uploaded and added. */
    added: z.array(z.object({ filename: z.string(), path: z.string() })),
    /** Files whose content differs; `stale_file_id` is to be replaced. */
    modified: z.array(
      z.object({ filename: z.string(), path: z.string(), stale_file_id: z.string() }),
    ),
    /** Files that exist only in the collection. */
    deleted: z.array(z.object({ file_id: z.string(), filename: z.string(), path: z.string() })),
    /** Paths of directories to be created, parents first. */
    mkdir: z.array(z.string()),
    /** Ids of directories that contain none of the submitted files. */
    rmdir: z.array(z.string()),
    unmodified_count: z.int(),
    /** Ids of the collection's directories by path. */
    directory_map: z.record(z.string(), z.string()),
  })
  .meta({ id: 'KnowledgeSyncDiff' })
export type SyncDiff = z.output<typeof syncDiffSchema>

export const knowledgeFilePageSchema = z
  .object({
    items: z.array(knowledgeFileSchema),
    total: z.int(),
    /** Directories directly inside the requested one, otherwise those at the top. */
    directories: z.array(knowledgeDirectorySchema),
    /** The requested directory and its ancestors, from the top. */
    breadcrumbs: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .meta({ id: 'KnowledgeFilePage' })
export type KnowledgeFilePage = z.output<typeof knowledgeFilePageSchema>

const params = z.object({ knowledge_id: idSchema })
const directoryParams = z.object({ knowledge_id: idSchema, directory_id: idSchema })
const directoryNameSchema = shownNameSchema(500)
const fileBody = z
  .object({ file_id: idSchema, directory_id: z.string().max(256).nullish() })
  .meta({ id: 'KnowledgeFileInput' })
const bodyLimit = 32 * 1024 * 1024

/** Endpoints for the contents of a collection. */
export const knowledgeFileEndpoints = defineEndpoints(
  { domain: 'knowledge', tag: 'Knowledge', root: '/api/v1/knowledge' },
  {
    files: {
      method: 'GET',
      path: '/:knowledge_id/files',
      params,
      query: knowledgeFilesQuerySchema,
      response: knowledgeFilePageSchema,
      errors: [404],
      summary: 'Files of a collection, 30 a page, with the directories beside them.',
    },
    pendingFiles: {
      method: 'GET',
      path: '/:knowledge_id/files/pending',
      params,
      response: z.array(knowledgeFileSchema),
      errors: [404],
      summary: 'Files of a collection that are still being read.',
    },
    addFile: {
      method: 'POST',
      path: '/:knowledge_id/file/add',
      params,
      body: fileBody,
      response: knowledgeSchema,
      errors: [400, 403, 404],
      summary:
        'Puts a file the caller may read into a collection; 400 before it is processed, without text, or with the same content again.',
    },
    updateFile: {
      method: 'POST',
      path: '/:knowledge_id/file/update',
      params,
      body: fileBody,
      response: knowledgeSchema,
      errors: [400, 403, 404],
      summary: 'Processes a changed file of a collection again.',
    },
    removeFile: {
      method: 'POST',
      path: '/:knowledge_id/file/remove',
      params,
      query: z.object({ delete_file: flagSchema.optional() }),
      body: z.object({ file_id: idSchema }),
      response: knowledgeSchema,
      errors: [403, 404],
      summary:
        'Removes a file from a collection. It is deleted too, unless `delete_file` is false, another collection has it, or it belongs to another user.',
    },
    addFiles: {
      method: 'POST',
      path: '/:knowledge_id/files/batch/add',
      params,
      bodyLimit,
      body: z
        .array(z.object({ file_id: idSchema, directory_id: z.string().max(256).nullish() }))
        .max(10_000)
        .meta({ example: [{ file_id: '5a2f4a0e-3f0c-4f7e-9f1e-2b6f0d1c7a55' }] }),
      response: knowledgeWithWarningsSchema,
      errors: [403, 404],
      summary: 'Adds many files to a collection; `warnings` names those that were refused.',
    },
    moveFile: {
      method: 'POST',
      path: '/:knowledge_id/file/move',
      params,
      body: fileBody,
      response: z.object({ status: z.literal(true) }),
      errors: [403, 404],
      summary: 'Moves a file into another directory of its collection; null is the top.',
    },
    createDirectory: {
      method: 'POST',
      path: '/:knowledge_id/dirs/create',
      params,
      body: z
        .object({ name: directoryNameSchema, parent_id: z.string().max(256).nullish() })
        .meta({ id: 'KnowledgeDirectoryInput', example: { name: 'Pumps', parent_id: null } }),
      response: knowledgeDirectorySchema,
      errors: [400, 403, 404],
      summary: 'Creates a directory in a collection; its name must be unique in its parent.',
    },
    updateDirectory: {
      method: 'POST',
      path: '/:knowledge_id/dirs/:directory_id/update',
      params: directoryParams,
      body: z.object({
        name: directoryNameSchema.optional(),
        parent_id: z.string().max(256).nullish(),
      }),
      response: knowledgeDirectorySchema,
      errors: [400, 403, 404],
      summary: 'Renames or moves a directory, never into itself.',
    },
    removeDirectory: {
      method: 'DELETE',
      path: '/:knowledge_id/dirs/:directory_id/delete',
      params: directoryParams,
      response: z.object({ status: z.literal(true) }),
      errors: [403, 404],
      summary: 'Deletes a directory with those in it; their files move up to where it was.',
    },
    compare: {
      method: 'POST',
      path: '/:knowledge_id/sync/diff',
      params,
      bodyLimit,
      body: syncInputSchema,
      response: syncDiffSchema,
      errors: [404],
      summary:
        'Compares an external folder with a collection, by path and checksum. Changes nothing.',
    },
    cleanUp: {
      method: 'POST',
      path: '/:knowledge_id/sync/cleanup',
      params,
      bodyLimit,
      body: z
        .object({
          file_ids: z.array(idSchema).max(100_000).optional(),
          directory_ids: z.array(idSchema).max(100_000).optional(),
        })
        .meta({ id: 'KnowledgeCleanUp', example: { file_ids: [] } }),
      response: z.object({ status: z.literal(true), removed: z.int() }),
      errors: [403, 404],
      summary:
        'Removes files and empty directories from a collection that no longer exist in the external folder; own files in no other collection are deleted.',
    },
  },
)
