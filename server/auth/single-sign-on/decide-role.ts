import { roleSchema, type Role } from '#contract/common.ts'
import type { OAuthRoleReport } from '#contract/oauth.ts'
import type { AuthSettings } from '../auth-settings.ts'
import { readList, type Claims } from './read-claims.ts'

/** The account that is signed in to; null for one that will be made. */
interface RoleHolder {
  readonly role: Role
  readonly isFirst: boolean
}

/** Determines the role a sign-in results in, and the rule for it. */
export function decideRole(
  settings: AuthSettings,
  claims: Claims,
  account: RoleHolder | null,
): OAuthRoleReport {
  const isManaged = settings.get('ENABLE_OAUTH_ROLE_MANAGEMENT')
  const claim = settings.get('OAUTH_ROLES_CLAIM')
  const found = isManaged ? readList(claims, claim, settings.get('OAUTH_ROLES_SEPARATOR')) : null
  const common = { before: account?.role ?? null, is_managed: isManaged, claim, found, matched: [] }
  const newRole = roleSchema.parse(settings.get('DEFAULT_USER_ROLE'))

  if (account?.isFirst) return { ...common, role: account.role, rule: 'first_account' }
  if (!isManaged)
    return account
      ? { ...common, role: account.role, rule: 'kept' }
      : { ...common, role: newRole, rule: 'new_account' }
  const admins = settings.get('OAUTH_ADMIN_ROLES')
  const allowed = settings.get('OAUTH_ALLOWED_ROLES')
  if (found === null || (admins.length === 0 && allowed.length === 0))
    return { ...common, role: newRole, rule: 'default' }
  const adminRoles = found.filter((role) => admins.includes(role))
  if (adminRoles.length > 0)
    return { ...common, role: 'admin', rule: 'admin_roles', matched: adminRoles }
  const userRoles = found.filter((role) => allowed.includes(role))
  if (userRoles.length > 0)
    return { ...common, role: 'user', rule: 'allowed_roles', matched: userRoles }
  return { ...common, role: null, rule: 'not_allowed' }
}
