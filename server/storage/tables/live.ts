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

/** A procedure of a user that spans several calls. */
export interface PendingFlowTable {
  kind: string
  id: string
  user_id: string
  /** Encrypted JSON. */
  content: string
  expires_at: number
}

/** Tables of gateways as Kysely sees them. */
export interface LiveTables {
  replica: ReplicaTable
  lease: LeaseTable
  pending_flow: PendingFlowTable
}
