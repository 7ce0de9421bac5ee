import type { ZodType } from 'zod'
import { badRequest, unauthorized } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { parseInput } from '../../lib/serving/parse-input.ts'
import type { HostRequest } from '../host-request.ts'

/** Handler of one method of HOST_API.md; an iterable is sent piece by piece. */
export type HostMethod = (request: HostRequest) => unknown

/** Returns the user a plugin runs for; throws 401 if there is none, while it is loaded. */
export function requirePerson({ caller }: HostRequest): Caller {
  if (!caller)
    throw unauthorized(
      'While a plugin is loaded it acts for no user and may only read its own settings.',
    )
  return caller
}

/** Validates the params sent by a worker. */
export function readParams<Params>(schema: ZodType<Params>, { params }: HostRequest): Params {
  return parseInput(schema, params, 'body') as Params
}

/** Returns a value that must be bytes. */
export function requireBytes(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value
  throw badRequest('There are no bytes.')
}
