import type { OwnSession, Session, SessionUser } from '#contract/auths.ts'
import type { Profile } from '#contract/users.ts'
import type { Groups } from '../../groups/index.ts'
import type { UserRecord, Users } from '../../users/index.ts'
import { ownerOf, type ApiKeys } from '../keys/api-keys.ts'

/** Returns accounts and sessions in the form shown to their owners. */
export class SessionViews {
  readonly #users: Users
  readonly #groups: Groups
  readonly #apiKeys: ApiKeys

  constructor(users: Users, groups: Groups, apiKeys: ApiKeys) {
    this.#users = users
    this.#groups = groups
    this.#apiKeys = apiKeys
  }

  async user(user: UserRecord): Promise<SessionUser> {
    const { id, email, name, role, profile_image_url } = user
    const permissions = await this.#groups.permissions.of(ownerOf(user))
    const mayUseKeys = role !== 'pending' && (await this.#apiKeys.areEnabledFor(ownerOf(user)))
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

  /** Includes the profile the user entered. */
  async ownUser(user: UserRecord): Promise<SessionUser & Profile> {
    return { ...(await this.user(user)), ...(await this.#users.profiles.read(user.id)) }
  }

  async session(
    user: UserRecord,
    { token, expiresAt }: { token: string; expiresAt: number | null },
  ): Promise<Session> {
    return {
      ...(await this.user(user)),
      token,
      token_type: 'Bearer',
      expires_at: expiresAt,
    }
  }

  async ownSession(
    user: UserRecord,
    issued: { token: string; expiresAt: number | null },
  ): Promise<OwnSession> {
    return { ...(await this.session(user, issued)), ...(await this.#users.profiles.read(user.id)) }
  }
}
