import type { OwnSession, Session, SessionUser } from '#contract/auths.ts'
import type { Profile } from '#contract/users.ts'
import type { Groups } from '../groups/index.ts'
import type { UserRecord, Users } from '../users/index.ts'
import { ownerOf, type ApiKeys } from './api-keys.ts'

/** Says how accounts and sessions look to those they belong to. */
export class SessionViews {
  readonly #users: Users
  readonly #groups: Pick<Groups, 'permissionsOf'>
  readonly #apiKeys: ApiKeys

  constructor(users: Users, groups: Pick<Groups, 'permissionsOf'>, apiKeys: ApiKeys) {
    this.#users = users
    this.#groups = groups
    this.#apiKeys = apiKeys
  }

  user(user: UserRecord): SessionUser {
    const { id, email, name, role, profile_image_url } = user
    const permissions = this.#groups.permissionsOf(ownerOf(user))
    const mayUseKeys = role !== 'pending' && this.#apiKeys.areEnabledFor(ownerOf(user))
    const features = { ...permissions.features, api_keys: mayUseKeys }
    return {
      id,
      email,
      name,
      role,
      profile_image_url,
      permissions: { ...permissions, features },
      ...(user.isGuest && { guest: true as const }),
    }
  }

  /** With what the person told about themselves. */
  ownUser(user: UserRecord): SessionUser & Profile {
    return { ...this.user(user), ...this.#users.profiles.read(user.id) }
  }

  session(
    user: UserRecord,
    { token, expiresAt }: { token: string; expiresAt: number | null },
  ): Session {
    return {
      ...this.user(user),
      token,
      token_type: 'Bearer',
      expires_at: expiresAt,
    }
  }

  ownSession(user: UserRecord, issued: { token: string; expiresAt: number | null }): OwnSession {
    return { ...this.session(user, issued), ...this.#users.profiles.read(user.id) }
  }
}
