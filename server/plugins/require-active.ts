import { unauthorized } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'

/** Work of plugins may go on for long; it ends with the rights of the person it is done for. */
export function requireActive({ role }: Pick<Caller, 'role'>): void {
  if (role === 'pending')
    throw unauthorized('The account this runs for was deleted or may not use the gateway any more.')
}
