/** A gateway among those that share the database. */
export interface ReplicaTable {
  id: string
  /** Unix seconds by the clock of the database. */
  seen_at: number
}

/** What one of them does at a time. */
export interface LeaseTable {
  name: string
  holder: string
  /** Unix seconds by the clock of the database. */
  until: number
}

/** Tables of gateways as Kysely sees them. */
export interface LiveTables {
  replica: ReplicaTable
  lease: LeaseTable
}
