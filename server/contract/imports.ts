import { z } from './lazy-zod.ts'
import { chatSchema } from './chats.ts'
import { doneSchema, idSchema, jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/**
 * Origin of imported chats: this gateway or a compatible one, the export of a public chat service,
 * or another program.
 */
export const importSourceSchema = z.enum([
  'own',
  'chatgpt',
  'claude',
  'open-webui',
  'lm-studio',
  'jan',
  'anythingllm',
  'librechat',
])
export type ImportSource = z.output<typeof importSourceSchema>

/**
 * Chat of an archive before it is imported. `changed` was imported before and has new messages
 * since, `known` has none. `branch_count` is the number of leaves of the tree.
 */
export const importChatSchema = z
  .object({
    key: z.string(),
    title: z.string(),
    created_at: z.int().nullable(),
    message_count: z.int(),
    branch_count: z.int(),
    state: z.enum(['new', 'changed', 'known']),
  })
  .meta({ id: 'ImportChat' })
export type ImportChat = z.output<typeof importChatSchema>

/** Prompt of an archive before it is imported; `command` is replaced by a free one if it is taken. */
export const importPromptSchema = z
  .object({
    key: z.string(),
    name: z.string(),
    command: z.string(),
    state: z.enum(['new', 'changed', 'known']),
  })
  .meta({ id: 'ImportPrompt' })

export const importResultSchema = z
  .object({
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    failed: z.int(),
    /** Ids of the created chats. */
    created_ids: z.array(z.string()),
    prompts: z.object({
      created: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      failed: z.int(),
    }),
  })
  .meta({ id: 'ImportResult' })
export type ImportResult = z.output<typeof importResultSchema>

/** Parsed archive; it is discarded after an hour, or when the gateway stops. */
export const importSchema = z
  .object({
    import_id: z.string(),
    source: importSourceSchema,
    chats: z.array(importChatSchema),
    /** Instructions and templates of the program, which become prompts of the library. */
    prompts: z.array(importPromptSchema),
    folder_count: z.int(),
    /** Files attached to the chats, which are imported with them. */
    file_count: z.int(),
    file_bytes: z.int(),
    /** Parts that cannot be imported, one sentence each. */
    problems: z.array(z.string()),
    state: z.enum(['ready', 'running', 'done']),
    progress: z.object({ done: z.int(), total: z.int() }),
    result: importResultSchema.nullable(),
  })
  .meta({ id: 'Import' })
export type Import = z.output<typeof importSchema>

/** Chat as exported by other gateways; further fields are ignored. */
const importedChatSchema = z.looseObject({
  chat: jsonObjectSchema,
  meta: jsonObjectSchema.nullish(),
  pinned: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  folder_id: z.string().max(256).nullish(),
  created_at: z.number().nullish(),
  updated_at: z.number().nullish(),
})

/** Archive of all data of a user; `GET /api/v1/chats/export` writes it and an import reads it. */
export const archiveSchema = z
  .object({
    format: z.literal('chat-gateway-archive'),
    version: z.literal(1),
    exported_at: z.int(),
    folders: z.array(jsonObjectSchema),
    tags: z.array(jsonObjectSchema),
    chats: z.array(chatSchema),
  })
  .meta({ id: 'Archive' })

/** Data of another chat program on the gateway's computer. */
export const foundProgramSchema = z
  .object({
    id: idSchema,
    source: importSourceSchema,
    path: z.string(),
    changed_at: z.int(),
  })
  .meta({ id: 'FoundProgram' })
export type FoundProgram = z.output<typeof foundProgramSchema>

/** Import whose chats or prompts still exist; `imported_at` is unix seconds. */
export const importRunSchema = z
  .object({
    import_id: z.string(),
    source: importSourceSchema,
    imported_at: z.int(),
    chats: z.int(),
    prompts: z.int(),
  })
  .meta({ id: 'ImportRun' })
export type ImportRun = z.output<typeof importRunSchema>

/** Result of undoing an import. */
export const undoneImportSchema = z
  .object({
    moved: z.int(),
    /** Number of chats changed since the import, which are therefore kept. */
    changed: z.int(),
    folders: z.int(),
    prompts: z.int(),
    /** Number of prompts changed since the import, which are therefore kept. */
    prompts_changed: z.int(),
  })
  .meta({ id: 'UndoneImport' })
export type UndoneImport = z.output<typeof undoneImportSchema>

const MEBIBYTE = 1024 * 1024
const params = z.object({ import_id: idSchema })

export const importEndpoints = defineEndpoints(
  { domain: 'imports', tag: 'Import and export', root: '/api/v1/chats' },
  {
    archive: {
      method: 'GET',
      path: '/export',
      permission: 'chat.export',
      reply: 'stream',
      response: archiveSchema,
      errors: [403],
      summary: 'Downloads all own chats with folders and tags as one archive.',
    },
    records: {
      method: 'POST',
      path: '/import',
      bodyLimit: 64 * MEBIBYTE,
      takesImport: true,
      body: z
        .union([z.object({ chats: z.array(importedChatSchema).max(10_000) }), importedChatSchema])
        .meta({
          id: 'ChatImport',
          example: {
            chats: [
              {
                chat: { title: 'Blue sky', history: { currentId: null, messages: {} } },
                meta: { tags: ['physics'] },
              },
            ],
          },
        }),
      response: z.array(chatSchema),
      errors: [400, 403, 413, 507],
      summary: 'Stores chats another gateway exported, one or several, each as a new chat.',
    },
    create: {
      method: 'POST',
      path: '/imports',
      upload: {
        types: [
          'application/zip',
          'application/x-zip-compressed',
          'application/json',
          'application/octet-stream',
          'application/vnd.sqlite3',
        ],
        limit: 2 * 1024 * MEBIBYTE,
      },
      response: importSchema,
      errors: [400, 403, 409, 413, 415, 507],
      summary:
        'Reads an export archive (zip or JSON) and describes the result of an import. Nothing is stored yet.',
    },
    runs: {
      method: 'GET',
      path: '/imports',
      response: z.array(importRunSchema),
      summary: 'The latest imports that made chats or prompts that are still here.',
    },
    findPrograms: {
      method: 'POST',
      path: '/imports/programs',
      auth: 'admin',
      response: z.array(foundProgramSchema),
      errors: [403],
      summary:
        "Looks where other chat programs keep their data on the gateway's computer; only for an administrator who sits at it.",
    },
    openProgram: {
      method: 'POST',
      path: '/imports/programs/:program_id',
      auth: 'admin',
      params: z.object({ program_id: idSchema }),
      response: importSchema,
      errors: [400, 403, 404, 409, 507],
      summary:
        'Reads a copy of the data of another program and describes the result of an import. Nothing is stored yet.',
    },
    get: {
      method: 'GET',
      path: '/imports/:import_id',
      params,
      response: importSchema,
      errors: [404],
      summary: 'An archive that was read, and how far its import has come.',
    },
    run: {
      method: 'POST',
      path: '/imports/:import_id/run',
      bodyLimit: 16 * MEBIBYTE,
      params,
      body: z.object({
        keys: z.array(z.string().max(300)).max(200_000).optional(),
        all: z.boolean().optional(),
        /** Also imports all prompts, which takes the permission to import prompts. */
        prompts: z.boolean().optional(),
      }),
      response: importResultSchema,
      errors: [400, 403, 404, 409, 507],
      summary:
        'Imports the chats with these keys, or all, and the prompts if asked for. A second run changes nothing; chats that grew since get their new messages.',
    },
    undo: {
      method: 'POST',
      path: '/imports/:import_id/undo',
      params,
      response: undoneImportSchema,
      errors: [404, 409],
      summary:
        'Undoes an import: moves its chats to the trash and removes its prompts and empty folders. Objects changed since then stay.',
    },
    remove: {
      method: 'DELETE',
      path: '/imports/:import_id',
      params,
      response: doneSchema,
      errors: [404],
      summary: 'Stops an import and deletes its archive; imported objects stay.',
    },
  },
)
