/**
 * One step of the schema, run in one transaction. Published steps never change; a new need is a new
 * step.
 */
export interface Migration {
  readonly id: string
  readonly statements: readonly string[]
  /** What PostgreSQL does instead, where what it has there differs from SQLite. */
  readonly postgres?: readonly string[]
}
