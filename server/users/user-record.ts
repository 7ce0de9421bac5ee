import type { Role } from '#contract/common.ts'
import { nowSeconds } from '../lib/ids.ts'

/** An account. Times are unix seconds; `tokenVersion` grows whenever all its sessions must end. */
export interface UserRecord {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly profile_image_url: string
  /** True for the very first account, which stays admin and cannot be deleted. */
  readonly isFirst: boolean
  /**
   * True for the account of a guest pass: it has few permissions, sees no other users, and is
   * deleted with the pass.
   */
  readonly isGuest: boolean
  readonly tokenVersion: number
  readonly last_active_at: number | null
  readonly created_at: number
  readonly updated_at: number
}

/** Time after a request during which an account counts as active. */
export const ACTIVE_SECONDS = 3 * 60

/** Returns true if the account was used within the last three minutes. */
export const isActive = ({ last_active_at }: Pick<UserRecord, 'last_active_at'>): boolean =>
  (last_active_at ?? 0) > nowSeconds() - ACTIVE_SECONDS
