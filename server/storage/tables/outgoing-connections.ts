import type { Outcome, PurposeKind } from '#contract/outgoing-connections.ts'

/** The table of outgoing connections as Kysely sees it. Times are unix milliseconds. */
export interface OutgoingTables {
  outgoing_connection: {
    id: string
    began_at: number
    ended_at: number | null
    host: string
    port: number
    address: string | null
    via: string | null
    purpose: PurposeKind
    name: string | null
    bytes_sent: number
    bytes_received: number
    times: number
    outcome: Outcome
    fault: string | null
  }
}
