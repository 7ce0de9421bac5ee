import { flagSchema, idSchema, jsonObjectSchema, pageSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { z } from './lazy-zod.ts'

const FILE_STATUSES = ['pending', 'completed', 'failed'] as const
export const fileStatusSchema = z.enum(FILE_STATUSES)
export type FileStatus = z.output<typeof fileStatusSchema>

/**
 * Progress of the processing of a file: pages or bytes while its text is extracted, passages while
 * they are embedded.
 */
export const fileProgressSchema = z
  .object({
    stage: z.enum(['waiting', 'extracting', 'embedding']),
    done: z.number(),
    /** Null while unknown. */
    total: z.number().nullable(),
  })
  .meta({ id: 'FileProgress' })
export type FileProgress = z.output<typeof fileProgressSchema>

/** State of the processing of a file; `not_found` if the file was deleted meanwhile. */
export const fileNewsSchema = z.object({
  id: z.string(),
  status: z.enum([...FILE_STATUSES, 'not_found']),
  error: z.string().nullable(),
  progress: fileProgressSchema.nullable(),
})
export type FileNews = z.output<typeof fileNewsSchema>

/** Page, slide, sheet or chapter of a text; offsets count UTF-16 units. */
const filePageSchema = z.object({
  number: z.int(),
  label: z.string().nullable(),
  start: z.int(),
  end: z.int(),
})

/** Text of a file with its known structure. */
export const fileTextSchema = z
  .object({
    content: z.string(),
    format: z.enum(['markdown', 'text', 'code', 'table']).nullable(),
    title: z.string().nullable(),
    pages: z.array(filePageSchema),
    language: z.string().nullable(),
    /** Parts that could not be read, one sentence each. */
    notices: z.array(z.string()),
  })
  .meta({ id: 'FileText' })
export type FileText = z.output<typeof fileTextSchema>

/** Metadata of a file; `size` is in bytes. */
export const fileMetaSchema = z.object({
  name: z.string(),
  /** Detected from the bytes, whatever the upload declared. */
  content_type: z.string(),
  size: z.int(),
  /** Same value as `hash`, under the name sync clients expect. */
  file_hash: z.string().optional(),
  /** `metadata` sent with the upload. */
  data: jsonObjectSchema,
  /** Collection of its passages, once it was processed. */
  collection_name: z.string().nullable(),
})

/** File. `data.status` is absent if processing was not requested; times are unix seconds. */
export const fileSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    /** SHA-256 of the bytes. */
    hash: z.string(),
    filename: z.string(),
    data: z.object({
      status: fileStatusSchema.optional(),
      /** Extracted text, once available; left out of lists with `content=false`. */
      content: z.string().optional(),
      error: z.string().optional(),
    }),
    meta: fileMetaSchema,
    created_at: z.int(),
    updated_at: z.int(),
  })
  .meta({ id: 'File' })
export type File = z.output<typeof fileSchema>

/** File kinds by which a list can be filtered. */
export const fileKindSchema = z.enum(['image', 'pdf', 'document', 'table', 'text', 'other'])
export type FileKind = z.output<typeof fileKindSchema>

export const listFilesQuerySchema = z.object({
  page: pageSchema.optional(),
  /** False to leave the texts out. */
  content: flagSchema.optional(),
  /** Part of the name; with `*` or `?` in it the whole name, as in the search. */
  query: z.string().max(500).optional(),
  status: z.enum(['pending', 'completed', 'failed', '']).optional(),
  kind: z.enum([...fileKindSchema.options, '']).optional(),
  order_by: z.enum(['created_at', 'updated_at', 'filename', 'size', '']).optional(),
  direction: z.enum(['asc', 'desc', '']).optional(),
  /**
   * Limits the list to files of this user; callers other than administrators always get only their
   * own.
   */
  user_id: idSchema.optional(),
})
export type ListFilesQuery = z.output<typeof listFilesQuerySchema>

export const searchFilesQuerySchema = z.object({
  /** The whole name; `*` stands for any characters, `?` for one. Case-insensitive. */
  filename: z.string().min(1).max(500),
  content: flagSchema.optional(),
  skip: z.coerce.number().int().min(0).max(1_000_000_000).optional(),
  limit: z.coerce.number().int().min(1).max(1000).optional(),
})

/** Storage used by a user's files, and its limits; null if there is no limit. */
export const fileUsageSchema = z
  .object({
    count: z.int(),
    bytes: z.int(),
    quota_bytes: z.int().nullable(),
    max_file_bytes: z.int().nullable(),
    max_count: z.int().nullable(),
    /** Lower-case, without the dot; empty to allow all. */
    allowed_extensions: z.array(z.string()),
  })
  .meta({ id: 'FileUsage' })
export type FileUsage = z.output<typeof fileUsageSchema>

/** Uses of a file, as far as the caller may know them. */
export const fileUsesSchema = z
  .object({
    collections: z.array(z.object({ id: z.string(), name: z.string() })),
    /** Number of chats and folders of the owner of the file. */
    chats: z.int(),
    folders: z.int(),
    models: z.array(z.object({ id: z.string(), name: z.string() })),
    /** Number of collections the caller may not see. */
    others: z.int(),
  })
  .meta({ id: 'FileUses' })
export type FileUses = z.output<typeof fileUsesSchema>

/**
 * Files without any reference in messages, collections, folders, models, notes or other stored
 * data.
 */
export const unusedFilesSchema = z
  .object({
    count: z.int(),
    bytes: z.int(),
    /** The oldest of them, at most a hundred, without their texts. */
    items: z.array(fileSchema),
  })
  .meta({ id: 'UnusedFiles' })

const unusedQuerySchema = z.object({
  /** Minimum number of days since the last change. */
  days: z.coerce.number().int().min(1).max(10_000).optional(),
})

const params = z.object({ file_id: idSchema })
const MEBIBYTE = 1024 * 1024
const messageSchema = z.object({ message: z.string() })

export const fileEndpoints = defineEndpoints(
  { domain: 'files', tag: 'Files', root: '/api/v1/files' },
  {
    upload: {
      method: 'POST',
      path: '/',
      permission: 'chat.file_upload',
      query: z.object({
        process: flagSchema.optional(),
        process_in_background: flagSchema.optional(),
      }),
      // Absolute limit, whatever an administrator allows.
      upload: { types: ['multipart/form-data'], limit: 4096 * MEBIBYTE },
      response: fileSchema.extend({ status: z.literal(true) }).meta({ id: 'UploadedFile' }),
      errors: [400, 403, 413, 415, 507],
      summary:
        'Stores the part `file` of a form; the part `metadata` may carry a JSON object. Its text is read and embedded unless `process` is false, ' +
        'before the answer only with `process_in_background=false`.',
    },
    list: {
      method: 'GET',
      path: '/',
      query: listFilesQuerySchema,
      response: z.object({ items: z.array(fileSchema), total: z.int() }).meta({ id: 'FilePage' }),
      summary:
        'Own files, 50 a page, the newest first; administrators get those of all users unless they name one.',
    },
    search: {
      method: 'GET',
      path: '/search',
      query: searchFilesQuerySchema,
      response: z.array(fileSchema),
      errors: [404],
      summary: 'Files by name with `*` and `?`; 404 when there is none.',
    },
    usage: {
      method: 'GET',
      path: '/usage',
      response: fileUsageSchema,
      summary: 'Space used by the files of the caller, and the limits of uploads.',
    },
    unused: {
      method: 'GET',
      path: '/unused',
      auth: 'admin',
      query: unusedQuerySchema,
      response: unusedFilesSchema,
      summary:
        'Files of all users that are unused and unchanged for `days` (30), as the deletion would delete them.',
    },
    removeUnused: {
      method: 'DELETE',
      path: '/unused',
      auth: 'admin',
      query: unusedQuerySchema,
      response: z.object({ removed: z.int(), bytes: z.int() }),
      summary: 'Deletes files that are unused and unchanged for `days` (30).',
    },
    removeAll: {
      method: 'DELETE',
      path: '/all',
      auth: 'admin',
      response: messageSchema,
      summary: 'Deletes the files of all users.',
    },
    get: {
      method: 'GET',
      path: '/:file_id',
      params,
      response: fileSchema,
      errors: [404],
      summary: 'One file with its text.',
    },
    uses: {
      method: 'GET',
      path: '/:file_id/uses',
      params,
      response: fileUsesSchema,
      errors: [404],
      summary: 'Uses of a file; for its owner and administrators.',
    },
    status: {
      method: 'GET',
      path: '/:file_id/process/status',
      reply: 'stream',
      replyTypes: ['application/json', 'text/event-stream'],
      params,
      query: z.object({ stream: flagSchema.optional() }),
      response: z
        .object({
          status: z.enum([...fileStatusSchema.options, 'not_found']),
          error: z.string().nullable(),
          progress: fileProgressSchema.nullable(),
        })
        .meta({ id: 'FileProcessStatus' }),
      errors: [404],
      summary:
        'Processing state of a file; with `stream=true` as server-sent events until it is completed, failed or deleted (`not_found`).',
    },
    process: {
      method: 'POST',
      path: '/:file_id/process',
      params,
      response: fileSchema,
      errors: [404, 409],
      summary: 'Reads and embeds a file once more, for instance after it failed.',
    },
    text: {
      method: 'GET',
      path: '/:file_id/data/content',
      params,
      response: fileTextSchema,
      errors: [404],
      summary: 'The text of a file with its pages; empty until it is extracted.',
    },
    updateText: {
      method: 'POST',
      path: '/:file_id/data/content/update',
      bodyLimit: 16 * MEBIBYTE,
      params,
      body: z
        .object({ content: z.string() })
        .meta({ id: 'FileTextUpdate', example: { content: 'The corrected text.' } }),
      response: z.object({ content: z.string() }),
      errors: [400, 404, 413, 507],
      summary: 'Replaces the text of a file and embeds it again in all its collections.',
    },
    content: {
      method: 'GET',
      path: '/:file_id/content',
      opensByCookie: true,
      reply: 'stream',
      replyTypes: ['*/*'],
      params,
      query: z.object({ attachment: flagSchema.optional() }),
      response: z.unknown(),
      errors: [404, 416],
      summary:
        'The bytes of a file, also in ranges. Pictures, PDF and plain text may be shown, all other types are downloaded.',
    },
    html: {
      method: 'GET',
      path: '/:file_id/content/html',
      opensByCookie: true,
      reply: 'stream',
      replyTypes: ['text/html'],
      params,
      response: z.unknown(),
      errors: [404],
      summary: 'An HTML file for viewing, without scripts and external content.',
    },
    namedContent: {
      method: 'GET',
      path: '/:file_id/content/:name',
      opensByCookie: true,
      reply: 'stream',
      replyTypes: ['*/*'],
      params: z.object({ file_id: idSchema, name: z.string().max(1000) }),
      query: z.object({ attachment: flagSchema.optional() }),
      response: z.unknown(),
      errors: [404, 416],
      summary: 'The same under an address that ends with a name.',
    },
    rename: {
      method: 'POST',
      path: '/:file_id/rename',
      params,
      body: z
        .object({ filename: z.string().trim().min(1).max(255) })
        .meta({ id: 'FileRename', example: { filename: 'Minutes.pdf' } }),
      response: fileSchema,
      errors: [404],
      summary: 'Renames a file.',
    },
    remove: {
      method: 'DELETE',
      path: '/:file_id',
      params,
      response: messageSchema,
      errors: [404],
      summary: 'Deletes a file with its text and passages, also from every collection.',
    },
  },
)
