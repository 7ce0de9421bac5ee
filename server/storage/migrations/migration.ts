/**
 * One step of the schema, run in one transaction. Published steps never change; a new requirement
 * is a new step.
 */
export interface Migration {
  readonly id: string
  readonly statements: readonly string[]
  /** Statements for PostgreSQL, if they differ from those for SQLite. */
  readonly postgres?: readonly string[]
}
