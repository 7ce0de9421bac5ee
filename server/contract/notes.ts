import { z } from './lazy-zod.ts'
import { accessInput, accessOutput } from './access.ts'
import { cleanName } from './clean-name.ts'
import {
  authorSchema,
  doneSchema,
  idSchema,
  jsonObjectSchema,
  knownVersion,
  nanosecondsSchema,
  pageSchema,
} from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/**
 * Body of a note; `content.md` is the text that is searched. Further fields are kept as received.
 */
export const noteDataSchema = z
  .looseObject({
    content: z
      .looseObject({
        json: z.unknown().optional(),
        html: z.string().nullish(),
        md: z.string().nullish(),
      })
      .nullish(),
  })
  .meta({ id: 'NoteData' })

/** Note. Times are unix nanoseconds. */
export const noteSchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    title: z.string(),
    data: noteDataSchema,
    meta: jsonObjectSchema,
    /** True if the caller has pinned it. */
    is_pinned: z.boolean(),
    created_at: nanosecondsSchema,
    updated_at: nanosecondsSchema,
    /** True if the caller may change it. */
    write_access: z.boolean(),
    user: authorSchema,
    ...accessOutput,
  })
  .meta({ id: 'Note' })
export type Note = z.output<typeof noteSchema>

const noteFields = {
  title: z.string().overwrite(cleanName).max(500),
  data: noteDataSchema.nullish(),
  meta: jsonObjectSchema.nullish(),
  ...accessInput,
}
export const noteInputSchema = z.object(noteFields).meta({
  id: 'NoteInput',
  example: { title: 'Packing list', data: { content: { md: '- Tent\n- Map' } } },
})
export type NoteInput = z.output<typeof noteInputSchema>
/** Update: fields of `data` and `meta` are replaced one by one, omitted fields stay unchanged. */
export const noteUpdateSchema = z
  .object({
    ...noteFields,
    title: noteFields.title.optional(),
    ...knownVersion,
  })
  .meta({ id: 'NoteUpdate' })
export type NoteUpdate = z.output<typeof noteUpdateSchema>

export const noteSearchQuerySchema = z.object({
  query: z.string().max(500).optional(),
  /** `created`: the caller's own notes; `shared`: those of other users. */
  view_option: z.enum(['created', 'shared', '']).optional(),
  /** `write` limits the list to notes the caller may change. */
  permission: z.enum(['read', 'write', '']).optional(),
  order_by: z.enum(['title', 'created_at', 'updated_at', '']).optional(),
  direction: z.enum(['asc', 'desc', '']).optional(),
  page: pageSchema.optional(),
})
export type NoteSearchQuery = z.output<typeof noteSearchQuerySchema>

const root = '/api/v1/notes'
const shared = { tag: 'Notes', feature: 'ENABLE_NOTES', permission: 'features.notes' } as const
const noteParams = z.object({ note_id: idSchema })
/** Maximum body size; notes may contain pasted images. */
const bodyLimit = 8 * 1024 * 1024

export const noteEndpoints = defineEndpoints(
  { domain: 'notes', root: '/api/v1/notes', ...shared },
  {
    list: {
      method: 'GET',
      path: '/',
      aliases: [`${root}/list`],
      query: z.object({ page: pageSchema.optional() }),
      response: z.array(noteSchema),
      errors: [403],
      summary:
        'Notes the caller may read, the last changed first; 60 a page, all of them without `page`.',
    },
    pinned: {
      method: 'GET',
      path: '/pinned',
      response: z.array(noteSchema),
      errors: [403],
      summary: 'Notes the caller has pinned.',
    },
    search: {
      method: 'GET',
      path: '/search',
      query: noteSearchQuerySchema,
      response: z.object({ items: z.array(noteSchema), total: z.int() }).meta({ id: 'NotePage' }),
      errors: [403],
      summary: 'Notes by words of title and text, 60 a page.',
    },
    create: {
      method: 'POST',
      path: '/create',
      bodyLimit,
      takesRecord: true,
      body: noteInputSchema,
      response: noteSchema,
      errors: [403, 413],
      summary: 'Stores a note.',
    },
    get: {
      method: 'GET',
      path: '/:note_id',
      params: noteParams,
      response: noteSchema,
      errors: [403, 404],
      summary: 'One note.',
    },
    update: {
      method: 'POST',
      path: '/:note_id/update',
      bodyLimit,
      takesRecord: true,
      params: noteParams,
      body: noteUpdateSchema,
      response: noteSchema,
      errors: [403, 404, 409, 413],
      summary: 'Changes a note; 409 if it is not the version named by `known_at` any more.',
    },
    updateAccess: {
      method: 'POST',
      path: '/:note_id/access/update',
      params: noteParams,
      body: z.object(accessInput),
      response: noteSchema,
      errors: [403, 404],
      summary: 'Replaces the grants of a note.',
    },
    pin: {
      method: 'POST',
      path: '/:note_id/pin',
      params: noteParams,
      response: noteSchema,
      errors: [403, 404],
      summary: 'Pins a note for the caller, or unpins a pinned one.',
    },
    remove: {
      method: 'DELETE',
      path: '/:note_id/delete',
      params: noteParams,
      response: doneSchema,
      errors: [403, 404],
      summary: 'Deletes a note.',
    },
  },
)
