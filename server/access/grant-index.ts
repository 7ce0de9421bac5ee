import type { AccessGrant } from '#contract/access.ts'
import type { StoredGrant } from './store.ts'

/** The rights on all things of one type, ready to be asked by thing and by principal. */
export interface GrantIndex {
  of(resourceId: string): readonly AccessGrant[]
  /** Ids of the things a principal may use. */
  idsFor(principal: string, permission: AccessGrant['permission']): ReadonlySet<string>
}

const NOTHING: readonly AccessGrant[] = []
const NO_IDS: ReadonlySet<string> = new Set()

export const principalOf = ({ principal_type, principal_id }: AccessGrant): string => `${principal_type} ${principal_id}`

export function indexGrants(grants: readonly StoredGrant[]): GrantIndex {
  const byResource = new Map<string, AccessGrant[]>()
  const byPrincipal = { read: new Map<string, Set<string>>(), write: new Map<string, Set<string>>() }

  const note = (permission: AccessGrant['permission'], principal: string, id: string): void => {
    const ids = byPrincipal[permission].get(principal)
    if (ids) ids.add(id)
    else byPrincipal[permission].set(principal, new Set([id]))
  }
  for (const { resource_id, ...grant } of grants) {
    const known = byResource.get(resource_id)
    if (known) known.push(grant)
    else byResource.set(resource_id, [grant])
    note('read', principalOf(grant), resource_id)
    if (grant.permission === 'write') note('write', principalOf(grant), resource_id)
  }
  return {
    of: (resourceId) => byResource.get(resourceId) ?? NOTHING,
    idsFor: (principal, permission) => byPrincipal[permission].get(principal) ?? NO_IDS,
  }
}
