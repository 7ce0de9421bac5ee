/**
 * Tables of groups and access as Kysely sees them. Times are unix seconds; columns holding JSON say
 * so.
 */
export interface GroupsTables {
  user_group: {
    id: string
    /** The creator; null if that account is deleted. */
    user_id: string | null
    name: string
    description: string
    /** JSON object: the permissions the group adds. */
    permissions: string
    /** JSON object. */
    data: string
    /** JSON object. */
    meta: string
    created_at: number
    updated_at: number
  }
  user_group_member: { group_id: string; user_id: string }
  access_grant: {
    resource_type: string
    resource_id: string
    principal_type: 'user' | 'group'
    /** An id, or `*` for all signed-in users. */
    principal_id: string
    permission: 'read' | 'write'
    id: string
    /** Unix seconds. */
    created_at: number
  }
}
