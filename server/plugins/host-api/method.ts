import type { ZodType } from 'zod'
import { badRequest, unauthorized } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { parseInput } from '../../lib/parse-input.ts'
import type { HostRequest } from '../host-request.ts'

/** Answers one method of HOST_API.md; an iterable is sent piece by piece. */
export type HostMethod = (request: HostRequest) => unknown

/** The person a plugin asks for; 401 while it is loaded, when there is none. */
export function requirePerson({ caller }: HostRequest): Caller {
  if (!caller)
    throw unauthorized(
      'While a plugin is loaded it speaks for nobody and may only read its own settings.',
    )
  return caller
}

/** Checks what a worker sent as params. */
export function readParams<Params>(schema: ZodType<Params>, { params }: HostRequest): Params {
  return parseInput(schema, params, 'body') as Params
}

/** A request that has to have bytes. */
export function requireBytes(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value
  throw badRequest('There are no bytes.')
}
