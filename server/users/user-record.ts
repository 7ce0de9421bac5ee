import type { Role } from '#contract/common.ts'

/**
 * An account. Times are unix seconds; `tokenVersion` grows whenever all its sessions have to end.
 */
export interface UserRecord {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly profile_image_url: string
  /** True for the very first account, which stays admin and cannot be deleted. */
  readonly isFirst: boolean
  /** The account behind a guest pass: it may do little, sees nobody, and goes with the pass. */
  readonly isGuest: boolean
  readonly tokenVersion: number
  readonly last_active_at: number | null
  readonly created_at: number
  readonly updated_at: number
}
