import type { Permission, Permissions as PermissionTree } from '#contract/permissions.ts'
import type { Caller, Route } from '../lib/http.ts'

/** Groups of people and what they may do: the defaults for everybody, and what each group adds (reference §2.2, §2.3). */
export interface Groups {
  /** Whether somebody may do something. Admins may everything; the most permissive of defaults and groups wins. From memory. */
  allows(caller: Pick<Caller, 'userId' | 'role'>, permission: Permission): boolean
  /** The merged tree of somebody. */
  permissionsOf(caller: Pick<Caller, 'userId' | 'role'>): PermissionTree
  /** Ids of the groups somebody is in. From memory. */
  idsOf(userId: string): ReadonlySet<string>
  readonly routes: readonly Route[]
}
