import type { Updates } from '../../updates/updates.ts'
import type { RequestHandlers } from '../router.ts'

/** What the settings show of new versions, and what the person decides about them. */
export function createUpdateHandlers(updates: Updates): Pick<RequestHandlers, 'updates.act'> {
  return { 'updates.act': ({ act }) => updates.act(act) }
}
