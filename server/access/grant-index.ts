import type { AccessGrant, AccessGrantRecord } from '#contract/access.ts'

/** Grants on all resources of one type, indexed by resource and by principal. */
export interface GrantIndex {
  of(resourceId: string): readonly AccessGrantRecord[]
  /** Returns the ids of the resources a principal may use. */
  idsFor(principal: string, permission: AccessGrant['permission']): ReadonlySet<string>
}

const NOTHING: readonly AccessGrantRecord[] = []
const NO_IDS: ReadonlySet<string> = new Set()

export const principalOf = ({ principal_type, principal_id }: AccessGrant): string =>
  `${principal_type} ${principal_id}`

export function indexGrants(grants: readonly AccessGrantRecord[]): GrantIndex {
  const byResource = new Map<string, AccessGrantRecord[]>()
  const byPrincipal = {
    read: new Map<string, Set<string>>(),
    write: new Map<string, Set<string>>(),
  }

  const note = (permission: AccessGrant['permission'], principal: string, id: string): void => {
    const ids = byPrincipal[permission].get(principal)
    if (ids) ids.add(id)
    else byPrincipal[permission].set(principal, new Set([id]))
  }
  for (const grant of grants) {
    const { resource_id } = grant
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
