import { z } from './lazy-zod.ts'
import { accessGrantRecordSchema, accessInput } from './access.ts'
import { authorSchema, doneSchema, idSchema, pageSchema, shownNameSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

export const SKILL_LIMITS = Object.freeze({
  contentCharacters: 200_000,
  files: 200,
  fileBytes: 1024 * 1024,
  allFileBytes: 8 * 1024 * 1024,
  archiveBytes: 10 * 1024 * 1024,
})

const skillMetaSchema = z.looseObject({ tags: z.array(z.string()).optional() })

/** File belonging to a skill; `path` is relative, with `/` between its parts. */
const skillFileSchema = z
  .object({ path: z.string(), size: z.int(), updated_at: z.int() })
  .meta({ id: 'SkillFile' })
export type SkillFile = z.output<typeof skillFileSchema>

/** Skill as shown in lists. Times are unix seconds. */
export const skillEntrySchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    meta: skillMetaSchema,
    is_active: z.boolean(),
    access_grants: z.array(accessGrantRecordSchema),
    /** True if the caller may change it. */
    write_access: z.boolean(),
    user: authorSchema,
    updated_at: z.int(),
    created_at: z.int(),
  })
  .meta({ id: 'SkillEntry' })
export type SkillEntry = z.output<typeof skillEntrySchema>

/**
 * Instructions a model reads when it needs them. `revision` counts the changes: an update based on
 * an outdated one is a 409.
 */
export const skillSchema = skillEntrySchema
  .extend({
    content: z.string(),
    files: z.array(skillFileSchema),
    revision: z.int(),
  })
  .meta({ id: 'Skill' })
export type Skill = z.output<typeof skillSchema>

/** Converts spaces to `-` and letters to lower case, because models refer to a skill by its id. */
export const skillIdSchema = z
  .string()
  .max(100)
  .transform((text) => text.trim().replaceAll(/\s+/g, '-').toLowerCase())
  .pipe(z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, 'must be letters, digits, -, _ and .'))

const nameSchema = shownNameSchema(200)
const descriptionSchema = z.string().max(2000)
const contentSchema = z.string().max(SKILL_LIMITS.contentCharacters)
const metaInputSchema = z
  .looseObject({ tags: z.array(z.string().trim().min(1).max(100)).max(50).optional() })
  .nullish()

export const skillInputSchema = z
  .object({
    id: skillIdSchema,
    name: nameSchema,
    description: descriptionSchema.nullish(),
    content: contentSchema,
    meta: metaInputSchema,
    is_active: z.boolean().optional(),
    ...accessInput,
  })
  .meta({ id: 'SkillInput' })
export type SkillInput = z.output<typeof skillInputSchema>

/** Update; an `id` in the body is ignored. */
export const skillUpdateSchema = z
  .object({
    name: nameSchema.optional(),
    description: descriptionSchema.nullish(),
    content: contentSchema.optional(),
    meta: metaInputSchema,
    is_active: z.boolean().optional(),
    /** Revision on which the update is based; 409 if the skill was changed since. */
    revision: z.int().optional(),
    ...accessInput,
  })
  .meta({ id: 'SkillUpdate' })
export type SkillUpdate = z.output<typeof skillUpdateSchema>

// oxlint-disable-next-line no-control-regex -- file systems refuse these characters
const UNSAFE_PART = /[\u0000-\u001f\u007f<>:"|?*\\]/

/** Returns true if a path stays within the folder of its skill wherever it is unpacked. */
export const isSkillPath = (path: string): boolean =>
  path.length <= 300 &&
  path.isWellFormed() &&
  path
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..' && !UNSAFE_PART.test(part)) &&
  path.toLowerCase() !== 'skill.md'

const pathSchema = z
  .string()
  .refine(isSkillPath, 'must be a relative path such as scripts/build.py, and not SKILL.md itself')

const base64Schema = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/, 'must be base64')

const listQuerySchema = z.object({
  query: z.string().max(500).optional(),
  /** `created`: the caller's own skills; `shared`: those of other users. */
  view_option: z.enum(['created', 'shared', '']).optional(),
  page: z.union([z.literal('0').transform(() => 1), pageSchema]).optional(),
})
export type SkillListQuery = z.output<typeof listQuerySchema>

const skillParams = z.object({ skill_id: idSchema })
const writeErrors = [403, 404] as const

export const skillEndpoints = defineEndpoints(
  { domain: 'skills', tag: 'Skills', root: '/api/v1/skills' },
  {
    list: {
      method: 'GET',
      path: '/',
      response: z.array(skillEntrySchema),
      summary: 'Every skill the caller may read, without their texts.',
    },
    page: {
      method: 'GET',
      path: '/list',
      query: listQuerySchema,
      response: z.object({ items: z.array(skillSchema), total: z.int() }).meta({ id: 'SkillPage' }),
      summary: 'Skills with their texts, searched by name, description and id, 30 a page.',
    },
    export: {
      method: 'GET',
      path: '/export',
      response: z.array(skillSchema),
      summary: 'Every skill the caller may read with its text, as JSON; files are not in it.',
    },
    create: {
      method: 'POST',
      path: '/create',
      permission: 'workspace.skills',
      body: skillInputSchema,
      response: skillEntrySchema,
      errors: [400, 403],
      summary: 'Stores a skill; 400 when its id or its name is taken.',
    },
    import: {
      method: 'POST',
      path: '/import',
      permission: 'workspace.skills',
      upload: { types: ['application/zip'], limit: SKILL_LIMITS.archiveBytes },
      response: skillSchema,
      errors: [400, 403, 413, 415],
      summary:
        'Stores a skill from a zip of its folder: SKILL.md with `name` and `description` in its front matter, and files beside it.',
    },
    get: {
      method: 'GET',
      path: '/id/:skill_id',
      params: skillParams,
      response: skillSchema.extend({ user: z.null() }).meta({ id: 'SkillAlone' }),
      errors: [404],
      summary: 'One skill with its text and the names of its files.',
    },
    update: {
      method: 'POST',
      path: '/id/:skill_id/update',
      params: skillParams,
      body: skillUpdateSchema,
      response: skillSchema,
      errors: [400, 403, 404, 409],
      summary: 'Changes a skill; 409 when it was made from an older `revision`.',
    },
    updateAccess: {
      method: 'POST',
      path: '/id/:skill_id/access/update',
      params: skillParams,
      body: z.object(accessInput),
      response: skillSchema,
      errors: writeErrors,
      summary: 'Replaces the grants of a skill.',
    },
    toggle: {
      method: 'POST',
      path: '/id/:skill_id/toggle',
      params: skillParams,
      response: skillSchema,
      errors: writeErrors,
      summary: 'Switches a skill off, or on again.',
    },
    remove: {
      method: 'DELETE',
      path: '/id/:skill_id/delete',
      params: skillParams,
      response: doneSchema,
      errors: writeErrors,
      summary: 'Deletes a skill with its files.',
    },
    download: {
      method: 'GET',
      path: '/id/:skill_id/download',
      reply: 'stream',
      replyTypes: ['application/zip'],
      params: skillParams,
      response: z.unknown(),
      errors: [404],
      summary: 'The folder of a skill, as a zip.',
    },
    readFile: {
      method: 'GET',
      path: '/id/:skill_id/files',
      reply: 'stream',
      replyTypes: ['application/octet-stream'],
      params: skillParams,
      query: z.object({ path: pathSchema }),
      response: z.unknown(),
      errors: [404],
      summary: 'The bytes of a file of a skill.',
    },
    writeFile: {
      method: 'POST',
      path: '/id/:skill_id/files',
      params: skillParams,
      bodyLimit: 2 * SKILL_LIMITS.fileBytes,
      body: z.object({ path: pathSchema, content: base64Schema }),
      response: skillSchema,
      errors: [400, 403, 404, 413],
      summary: 'Adds a file to a skill, or replaces one. `content` is in base64.',
    },
    removeFile: {
      method: 'DELETE',
      path: '/id/:skill_id/files',
      params: skillParams,
      query: z.object({ path: pathSchema }),
      response: skillSchema,
      errors: writeErrors,
      summary: 'Deletes a file of a skill.',
    },
  },
)
