import { cleanName } from './clean-name.ts'
import { z } from './lazy-zod.ts'

/** Body of every failed call; `request_id` equals the `X-Request-Id` header. */
export const errorBodySchema = z
  .looseObject({
    detail: z.union([
      z.string(),
      z.array(
        z.object({
          loc: z.array(z.union([z.string(), z.number()])),
          msg: z.string(),
          type: z.string(),
        }),
      ),
    ]),
  })
  .meta({ id: 'Error', example: { detail: 'There is no chat with this id.' } })
export type ErrorBody = z.output<typeof errorBodySchema>

/** `{status: true}`, the acknowledgement of health checks and sign-out. */
export const statusSchema = z.object({ status: z.boolean() }).meta({ id: 'Status' })

/** Response of an endpoint that only confirms; its handler need not return anything. */
export const doneSchema = z.literal(true)

export const roleSchema = z.enum(['admin', 'user', 'pending'])
export type Role = z.output<typeof roleSchema>

/** Id chosen by the service or, for messages, by the caller. Never used as a path or as SQL. */
export const idSchema = z.string().min(1).max(256)

/** Query flags: `true`, `1`, `yes` and their opposites; anything else is rejected. */
export const flagSchema = z.union([z.boolean(), z.stringbool()])

/**
 * Unix nanoseconds exceed the range of safe integers, so they are numbers precise to the second.
 */
export const nanosecondsSchema = z.number().nonnegative()

/** `updated_at` of the version a change is based on, 409 for another; absent to change any version. */
export const knownVersion = { known_at: z.number().nonnegative().optional() }

export const pageSchema = z.coerce.number().int().min(1).max(1_000_000)

export const emailSchema = z
  .string()
  .max(254)
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.string().regex(/^[^\s@]{1,64}@[^\s@]{1,190}$/, 'is not an e-mail address'))

/** Name that other users are shown; something of it must be visible. */
export const shownNameSchema = (longest: number) =>
  z.string().overwrite(cleanName).min(1).max(longest)

/** JSON object whose content the gateway stores or forwards without reading it. */
export const jsonObjectSchema = z.record(z.string(), z.unknown())

/** Author of an item whose account exists. */
export const knownAuthorSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Visible only to administrators and the user, like the e-mail address. */
  role: roleSchema.optional(),
  email: z.string().optional(),
  profile_image_url: z.string(),
})

/** Author of an item, as shown in lists and histories; null once the account no longer exists. */
export const authorSchema = knownAuthorSchema.nullable().meta({ id: 'Author' })
export type Author = z.output<typeof authorSchema>

/** Text matched by a wildcard of a path, such as an id with slashes. */
export const pathTextSchema = z
  .array(z.string())
  .transform((parts) => parts.join('/'))
  .pipe(z.string().min(1).max(2000))
