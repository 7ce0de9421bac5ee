/** Network access of an artifact. */
export interface ArtifactNetworkTable {
  chat_id: string
  artifact_id: string
  /** JSON list. */
  origins: string
  /** Unix seconds. */
  updated_at: number
}

/** Tables of artifacts as Kysely sees them. */
export interface ArtifactsTables {
  artifact_network: ArtifactNetworkTable
}
