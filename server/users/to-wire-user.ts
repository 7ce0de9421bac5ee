import type { User, UserInfo } from '#contract/users.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { UserRecord, Users } from './index.ts'

/** How long after a call somebody counts as using the gateway. */
export const ACTIVE_SECONDS = 3 * 60

/** Whether somebody used the gateway within the last three minutes. */
export const isActive = ({ last_active_at }: UserRecord): boolean => (last_active_at ?? 0) > nowSeconds() - ACTIVE_SECONDS

/** An account as administrators and its owner see it. */
export function toWireUser(users: Pick<Users, 'profiles'>, { tokenVersion: _tokenVersion, isFirst, ...user }: UserRecord): User {
  return { ...user, ...users.profiles.read(user.id), is_first: isFirst }
}

/** An account as everybody sees it. */
export function toUserInfo(users: Pick<Users, 'profiles'>, user: UserRecord): UserInfo {
  const { bio, status_emoji, status_message, status_expires_at } = users.profiles.read(user.id)
  const { id, name, email, role, profile_image_url } = user
  return { id, name, email, role, profile_image_url, bio, is_active: isActive(user), status_emoji, status_message, status_expires_at }
}
