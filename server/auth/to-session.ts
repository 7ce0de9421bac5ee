import type { OwnSession, Session, SessionUser } from '#contract/auths.ts'
import type { Profile } from '#contract/users.ts'
import type { Groups } from '../groups/index.ts'
import type { UserRecord, Users } from '../users/index.ts'
import { ownerOf, type ApiKeys } from './api-keys.ts'

/** Says how accounts and sessions look to those they belong to. */
export interface SessionViews {
  user(user: UserRecord): SessionUser
  /** With what the person told about themselves. */
  ownUser(user: UserRecord): SessionUser & Profile
  session(user: UserRecord, issued: { token: string; expiresAt: number | null }): Session
  ownSession(user: UserRecord, issued: { token: string; expiresAt: number | null }): OwnSession
}

export function createSessionViews(deps: {
  users: Users
  groups: Pick<Groups, 'permissionsOf'>
  apiKeys: ApiKeys
}): SessionViews {
  const { users, groups, apiKeys } = deps

  const toUser = (user: UserRecord): SessionUser => {
    const { id, email, name, role, profile_image_url } = user
    const permissions = groups.permissionsOf(ownerOf(user))
    const mayUseKeys = role !== 'pending' && apiKeys.areEnabledFor(ownerOf(user))
    const features = { ...permissions.features, api_keys: mayUseKeys }
    return { id, email, name, role, profile_image_url, permissions: { ...permissions, features } }
  }
  const toSession: SessionViews['session'] = (user, { token, expiresAt }) => ({
    ...toUser(user),
    token,
    token_type: 'Bearer',
    expires_at: expiresAt,
  })
  return {
    user: toUser,
    ownUser: (user) => ({ ...toUser(user), ...users.profiles.read(user.id) }),
    session: toSession,
    ownSession: (user, issued) => ({ ...toSession(user, issued), ...users.profiles.read(user.id) }),
  }
}
