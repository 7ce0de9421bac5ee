import type { Profile, User, UserInfo } from '#contract/users.ts'
import type { Caller } from '../lib/http.ts'
import { EMPTY_PROFILE } from './profiles.ts'
import type { Users } from './users.ts'
import { isActive, type UserRecord } from './user-record.ts'

const HIDDEN = { email: '', role: '' } as const

function describe(
  { tokenVersion: _tokenVersion, isFirst, ...user }: UserRecord,
  profile: Profile,
): User {
  const last_active_at = user.last_active_at ?? user.created_at
  return { ...user, last_active_at, ...profile, is_active: isActive(user), is_first: isFirst }
}

/** Returns an account in the form shown to administrators and its owner. */
export const toWireUser = async (users: Users, user: UserRecord): Promise<User> =>
  describe(user, await users.profiles.read(user.id))

/** Returns several accounts in the same form, with one statement for their profiles. */
export async function toWireUsers(users: Users, found: readonly UserRecord[]): Promise<User[]> {
  const profiles = await users.profiles.several(found.map(({ id }) => id))
  return found.map((user) => describe(user, profiles.get(user.id) ?? EMPTY_PROFILE))
}

/** Returns true if a caller may see the e-mail address and the role of an account. */
export const mayIdentify = (reader: Reader, user: Pick<UserRecord, 'id'>): boolean =>
  reader.role === 'admin' || reader.userId === user.id

type Reader = Pick<Caller, 'userId' | 'role'>

/**
 * Returns an account in the form shown to `reader`. Hidden fields of others stay, because clients
 * expect texts there.
 */
export async function toUserInfo(
  users: Users,
  user: UserRecord,
  reader: Reader,
): Promise<UserInfo> {
  const { bio, status_emoji, status_message, status_expires_at } = await users.profiles.read(
    user.id,
  )
  const { id, name, profile_image_url } = user
  const { email, role } = mayIdentify(reader, user) ? user : HIDDEN
  return {
    id,
    name,
    email,
    role,
    profile_image_url,
    bio,
    is_active: isActive(user),
    status_emoji,
    status_message,
    status_expires_at,
  }
}
