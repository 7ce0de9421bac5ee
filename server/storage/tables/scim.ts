/** Tables of provisioning as Kysely sees them. */
export interface ScimTables {
  /** The user name of an account without a row is its e-mail address. */
  scim_user: { user_id: string; external_id: string | null; user_name: string }
  scim_group: { group_id: string; external_id: string | null }
}
