import type { Role } from '#contract/common.ts'

/** An account. Times are unix seconds; `tokenVersion` grows whenever all its sessions have to end. */
export interface UserRecord {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly profile_image_url: string
  readonly tokenVersion: number
  readonly last_active_at: number | null
  readonly created_at: number
  readonly updated_at: number
}

/** Accounts of the gateway. */
export interface Users {
  /** Creates an account; with `firstBecomesAdmin` the very first one is `admin`, atomically. 400 for a taken e-mail. */
  create(input: { name: string; email: string; role: Role; firstBecomesAdmin?: boolean; profile_image_url?: string }): UserRecord
  get(id: string): UserRecord | null
  findByEmail(email: string): UserRecord | null
  count(): number
  list(options: { query?: string; page?: number }): { users: UserRecord[]; total: number }
  /** Changes an account; a new role ends its sessions. The first admin keeps the role (403). */
  update(id: string, changes: { name?: string; email?: string; role?: Role; profile_image_url?: string }): UserRecord
  remove(id: string): void
  /** Ends every session of an account: tokens issued before are refused from now on. */
  revokeSessions(id: string): void
  /** Announces that sessions of an account ended: role change, password change, deletion. */
  onSessionsRevoked(listener: (userId: string) => void): void
  touch(id: string): void
  settings(id: string): Record<string, unknown> | null
  updateSettings(id: string, settings: Record<string, unknown>): Record<string, unknown>
}
