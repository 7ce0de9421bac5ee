/** A stored override; `value` is JSON, encrypted when the setting is a secret. */
export interface SettingTable {
  key: string
  value: string
  updated_at: number
}

/** One value encrypted under the root secret, to tell a wrong secret from damaged data. */
export interface RootSecretCheckTable {
  id: number
  value: string
}

/** Tables of the settings domain as Kysely sees them. */
export interface SettingsTables {
  setting: SettingTable
  root_secret_check: RootSecretCheckTable
}
