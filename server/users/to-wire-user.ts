import type { User, UserInfo } from '#contract/users.ts'
import type { Caller } from '../lib/http.ts'
import type { Users } from './users.ts'
import { isActive, type UserRecord } from './user-record.ts'

const HIDDEN = { email: '', role: '' } as const

/** Returns an account in the form shown to administrators and its owner. */
export async function toWireUser(
  users: Pick<Users, 'profiles'>,
  { tokenVersion: _tokenVersion, isFirst, ...user }: UserRecord,
): Promise<User> {
  const last_active_at = user.last_active_at ?? user.created_at
  return {
    ...user,
    last_active_at,
    ...(await users.profiles.read(user.id)),
    is_active: isActive(user),
    is_first: isFirst,
  }
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
  users: Pick<Users, 'profiles'>,
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
