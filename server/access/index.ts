import type { AccessControl, AccessGrant } from '#contract/access.ts'
import type { Caller } from '../lib/http.ts'

/** Kinds of things people share with each other. */
export type ResourceType = 'model' | 'prompt' | 'note' | 'knowledge' | 'tool' | 'tool_server' | 'skill' | 'channel' | 'chat'

/** A thing with an owner whose access is asked for. */
export interface Resource {
  readonly type: ResourceType
  readonly id: string
  readonly ownerId: string
}

/** Who may read and change what others own (reference §4.2, Access objects). */
export interface Access {
  /** Owner and admin always; everybody else by a grant to them, to one of their groups or to `*`. Write includes read. */
  allows(caller: Pick<Caller, 'userId' | 'role'>, resource: Resource, permission: 'read' | 'write'): boolean
  /** Ids of a type the caller may use by grant alone, owning aside; for lists. */
  grantedIds(caller: Pick<Caller, 'userId'>, type: ResourceType, permission: 'read' | 'write'): ReadonlySet<string>
  grantsOf(type: ResourceType, id: string): AccessGrant[]
  /** Both spellings of the grants, to be spread into a reply. */
  describe(type: ResourceType, id: string): { access_grants: AccessGrant[]; access_control: AccessControl }
  /**
   * Replaces the grants from either spelling; undefined input changes nothing. Grants the caller may not give (public without
   * `sharing.public_<type>s`, to single users without `access_grants.allow_users`) are left out silently.
   */
  replace(
    caller: Caller,
    resource: Pick<Resource, 'type' | 'id'>,
    input: { access_grants?: AccessGrant[] | null; access_control?: AccessControl },
  ): void
  /** Forgets every grant on a thing that is gone. */
  remove(type: ResourceType, id: string): void
}
