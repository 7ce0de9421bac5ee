import type { AccessControl, AccessGrant } from '#contract/access.ts'

export const EVERYBODY = '*'

const PERMISSIONS = ['read', 'write'] as const

/** Sort key of a grant; equal sets of grants have the same order. */
export const sortKeyOf = ({ principal_type, principal_id, permission }: AccessGrant): string =>
  `${principal_type} ${permission} ${principal_id}`

/** Returns each grant once, in a fixed order; the public principal is always spelled `*`. */
export function normalizeGrants(grants: readonly AccessGrant[]): AccessGrant[] {
  const byKey = new Map<string, AccessGrant>()
  for (const { principal_type, principal_id, permission } of grants) {
    const grant: AccessGrant = {
      principal_type: principal_id === EVERYBODY ? 'user' : principal_type,
      principal_id,
      permission,
    }
    byKey.set(sortKeyOf(grant), grant)
  }
  return [...byKey.keys()].toSorted().map((key) => byKey.get(key)!)
}

/** Converts the older spelling to grants. */
export function fromAccessControl(control: AccessControl): AccessGrant[] {
  if (control === null)
    return [{ principal_type: 'user', principal_id: EVERYBODY, permission: 'read' }]
  return PERMISSIONS.flatMap((permission) => {
    const { group_ids = [], user_ids = [] } = control[permission] ?? {}
    return [
      ...group_ids.map((principal_id) => ({
        principal_type: 'group' as const,
        principal_id,
        permission,
      })),
      ...user_ids.map((principal_id) => ({
        principal_type: 'user' as const,
        principal_id,
        permission,
      })),
    ]
  })
}

/** Converts grants to the older spelling, which only has public access or lists of ids. */
export function toAccessControl(grants: readonly AccessGrant[]): AccessControl {
  if (grants.length === 0) return {}
  if (grants.some(({ principal_id }) => principal_id === EVERYBODY)) return null
  const idsOf = (
    type: AccessGrant['principal_type'],
    permission: AccessGrant['permission'],
  ): string[] =>
    grants
      .filter((grant) => grant.principal_type === type && grant.permission === permission)
      .map((grant) => grant.principal_id)
  const principals = (permission: AccessGrant['permission']) => ({
    group_ids: idsOf('group', permission),
    user_ids: idsOf('user', permission),
  })
  return { read: principals('read'), write: principals('write') }
}
