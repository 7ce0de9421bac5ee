import type { PermissionsInput } from '#contract/permissions.ts'

/** A group without its members. Times are unix seconds. */
export interface GroupRecord {
  readonly id: string
  /** The creator; null if that account was deleted. */
  readonly user_id: string | null
  readonly name: string
  readonly description: string
  /** Permissions the group adds to the defaults. */
  readonly permissions: PermissionsInput
  readonly data: Record<string, unknown>
  readonly meta: Record<string, unknown>
  readonly created_at: number
  readonly updated_at: number
}
