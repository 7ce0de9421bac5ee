import { z } from './lazy-zod.ts'
import { doneSchema, flagSchema, idSchema, jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** One row of the folder list; `parent_id` defines the nesting. */
export const folderItemSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    meta: jsonObjectSchema.nullable(),
    parent_id: z.string().nullable(),
    is_expanded: z.boolean(),
    created_at: z.int(),
    updated_at: z.int(),
    /** Number of chats directly inside, without archived ones; only in the list. */
    chat_count: z.int().optional(),
  })
  .meta({ id: 'FolderItem' })
export type FolderItem = z.output<typeof folderItemSchema>

/** Folder; `data.system_prompt` and `data.files` apply to every chat in it. */
export const folderSchema = folderItemSchema
  .extend({ user_id: z.string(), data: jsonObjectSchema.nullable() })
  .meta({ id: 'Folder' })
export type Folder = z.output<typeof folderSchema>

/** Folder in the trash, with the counts of the items deleted together with it. */
export const trashedFolderSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    deleted_at: z.int(),
    /** Number of folders inside it, at every level. */
    folder_count: z.int(),
    /** Number of chats that return to it or to a folder inside it when it is restored. */
    chat_count: z.int(),
  })
  .meta({ id: 'TrashedFolder' })
export type TrashedFolder = z.output<typeof trashedFolderSchema>

const nameSchema = z.string().trim().min(1).max(200)
const dataSchema = z.looseObject({
  system_prompt: z.string().max(500_000).nullish(),
  files: z.array(z.unknown()).max(2000).nullish(),
})
const params = z.object({ folder_id: idSchema })
const guards = { permission: 'features.folders', feature: 'ENABLE_FOLDERS' } as const

export const folderEndpoints = defineEndpoints(
  { domain: 'folders', tag: 'Folders', root: '/api/v1/folders' },
  {
    list: {
      method: 'GET',
      path: '/',
      ...guards,
      response: z.array(folderItemSchema),
      errors: [403],
      summary: 'Own folders of all levels, by name.',
    },
    create: {
      method: 'POST',
      path: '/',
      ...guards,
      body: z
        .strictObject({
          name: nameSchema,
          data: dataSchema.nullish(),
          meta: jsonObjectSchema.nullish(),
          parent_id: z.string().max(256).nullish(),
        })
        .meta({
          id: 'FolderInput',
          example: {
            name: 'Travel',
            data: { system_prompt: 'Answer in three sentences.' },
            parent_id: null,
          },
        }),
      response: folderSchema,
      errors: [400, 403, 404],
      summary: 'Creates a folder; its name must be unique in its parent.',
    },
    trash: {
      method: 'GET',
      path: '/trash',
      ...guards,
      response: z.array(trashedFolderSchema),
      errors: [403],
      summary:
        'Own folders in the trash, the last deleted first; those that were deleted with another one are counted there.',
    },
    erase: {
      method: 'DELETE',
      path: '/trash/:folder_id',
      ...guards,
      params,
      response: doneSchema,
      errors: [403, 404],
      summary:
        'Permanently deletes a folder in the trash, with the folders that were deleted with it; their chats stay.',
    },
    get: {
      method: 'GET',
      path: '/:folder_id',
      ...guards,
      params,
      response: folderSchema,
      errors: [403, 404],
      summary: 'One folder with its data.',
    },
    update: {
      method: 'POST',
      path: '/:folder_id/update',
      ...guards,
      params,
      body: z.object({
        name: nameSchema.optional(),
        data: dataSchema.nullish(),
        meta: jsonObjectSchema.nullish(),
      }),
      response: folderSchema,
      errors: [400, 403, 404],
      summary:
        'Renames a folder or changes its data; fields of `data` and `meta` that are not sent stay.',
    },
    move: {
      method: 'POST',
      path: '/:folder_id/update/parent',
      ...guards,
      params,
      body: z.object({ parent_id: z.string().max(256).nullish() }),
      response: folderSchema,
      errors: [400, 403, 404],
      summary: 'Moves a folder into another one, or to the top with null; never into itself.',
    },
    expand: {
      method: 'POST',
      path: '/:folder_id/update/expanded',
      ...guards,
      params,
      body: z.object({ is_expanded: z.boolean() }),
      response: folderSchema,
      errors: [403, 404],
      summary: 'Remembers whether a folder is shown open.',
    },
    remove: {
      method: 'DELETE',
      path: '/:folder_id',
      ...guards,
      params,
      query: z.object({ delete_contents: flagSchema.default(true) }),
      response: doneSchema,
      errors: [403, 404],
      summary:
        'Moves a folder and those in it to the trash, where they stay 30 days; their chats follow, or leave the folder with `delete_contents=false`.',
    },
    restore: {
      method: 'POST',
      path: '/:folder_id/restore',
      ...guards,
      params,
      response: folderSchema,
      errors: [400, 403, 404],
      summary:
        'Restores a folder from the trash with the folders and chats that were deleted with it; its name may get a number.',
    },
  },
)
