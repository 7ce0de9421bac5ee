import { unauthorized } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'

/** Work of plugins may continue for long; it ends when its user loses access. */
export function requireActive({ role }: Pick<Caller, 'role'>): void {
  if (role === 'pending')
    throw unauthorized('The account this runs for was deleted or may not use the gateway any more.')
}
