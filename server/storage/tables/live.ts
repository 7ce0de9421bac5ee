/** A gateway of those that share the database. */
export interface ReplicaTable {
  id: string
  /** Unix seconds of the database clock. */
  seen_at: number
}

/** A task that one of them runs at a time. */
export interface LeaseTable {
  name: string
  holder: string
  /** Unix seconds of the database clock. */
  until: number
}

/** Tables of gateways as Kysely sees them. */
export interface LiveTables {
  replica: ReplicaTable
  lease: LeaseTable
}
