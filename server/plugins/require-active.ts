import { unauthorized } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'

export const isActive = ({ role }: Pick<Caller, 'role'>): boolean => role !== 'pending'

/** Work of plugins may continue for long; it ends when its user loses access. */
export function requireActive(caller: Pick<Caller, 'role'>): void {
  if (!isActive(caller))
    throw unauthorized('The account this runs for was deleted or may not use the gateway any more.')
}
