import { z } from './lazy-zod.ts'

/** Every failed call answers with this body; `request_id` equals the `X-Request-Id` header. */
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

/** `{status: true}`, the plain acknowledgement of health checks and sign-out. */
export const statusSchema = z.object({ status: z.boolean() }).meta({ id: 'Status' })

export const roleSchema = z.enum(['admin', 'user', 'pending'])
export type Role = z.output<typeof roleSchema>

/** An id chosen by the service or, for messages, by the caller. Never used as a path or as SQL. */
export const idSchema = z.string().min(1).max(256)

/** Query flags: `true`, `1`, `yes` and their opposites; anything else is refused. */
export const flagSchema = z.union([z.boolean(), z.stringbool()])

/**
 * Unix nanoseconds are beyond what a safe integer can hold, so they are numbers that have a whole
 * second.
 */
export const nanosecondsSchema = z.number().nonnegative()

export const pageSchema = z.coerce.number().int().min(1).max(1_000_000)

export const emailSchema = z
  .string()
  .max(254)
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.string().regex(/^[^\s@]{1,64}@[^\s@]{1,190}$/, 'is not an e-mail address'))

/** A JSON object whose content the gateway stores or forwards without reading it. */
export const jsonObjectSchema = z.record(z.string(), z.unknown())

/** Who wrote something, as lists and histories show it; null once the account is gone. */
export const authorSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Shown to administrators and the person alone, as is the address. */
    role: roleSchema.optional(),
    email: z.string().optional(),
    profile_image_url: z.string(),
  })
  .nullable()
  .meta({ id: 'Author' })
export type Author = z.output<typeof authorSchema>

/** What a wildcard of a path stands for, such as an id with slashes, as one text. */
export const pathTextSchema = z
  .array(z.string())
  .transform((parts) => parts.join('/'))
  .pipe(z.string().min(1).max(2000))
