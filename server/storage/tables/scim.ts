/** Tables of provisioning as Kysely sees them. */
export interface ScimTables {
  /** An account without a row is called by its e-mail address. */
  scim_user: { user_id: string; external_id: string | null; user_name: string }
  scim_group: { group_id: string; external_id: string | null }
}
