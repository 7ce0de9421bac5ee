import type { Updates } from '../../updates/updates.ts'
import type { RequestHandlers } from '../router.ts'

/** Creates the handler for the user's decisions about updates. */
export function createUpdateHandlers(updates: Updates): Pick<RequestHandlers, 'updates.act'> {
  return { 'updates.act': ({ act }) => updates.act(act) }
}
