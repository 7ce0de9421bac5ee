import Sqlite from 'better-sqlite3'
import { migrate, readAppliedSteps } from '../migrate.ts'
import { migrations } from '../migrations/all.ts'

const LIST_SCHEMA =
  "select name || char(10) || coalesce(sql, '') from sqlite_schema where name not like 'sqlite\\_%' escape '\\'"

const readSchema = (sqlite: Sqlite.Database): string[] =>
  sqlite.prepare(LIST_SCHEMA).pluck().all() as string[]

const models = new Map<number, readonly string[]>()

function readModel(steps: number): readonly string[] {
  let model = models.get(steps)
  if (!model) {
    const sqlite = new Sqlite(':memory:')
    migrate(sqlite, migrations.slice(0, steps))
    model = readSchema(sqlite)
    sqlite.close()
    models.set(steps, model)
  }
  return model
}

/**
 * A flipped letter in a table's definition is sound to SQLite, so it is compared with the result of
 * the gateway's own steps.
 */
function findSchemaFault(sqlite: Sqlite.Database): string | null {
  const applied = readAppliedSteps(sqlite)
  const steps = migrations.slice(0, applied.length)
  const isOurs = applied.length > 0 && applied.every((id, index) => id === steps[index]?.id)
  if (!isOurs) return null
  const found = new Set(readSchema(sqlite))
  const missing = readModel(steps.length).find((entry) => !found.has(entry))
  return missing === undefined
    ? null
    : `the definition of ${missing.split('\n', 1)[0]} is not the one the gateway made`
}

/** Reads a whole open database; returns its fault, or null. Takes seconds for a large one. */
export function findFault(sqlite: Sqlite.Database): string | null {
  const report = String(sqlite.pragma('quick_check(1)', { simple: true }))
  return report === 'ok' ? findSchemaFault(sqlite) : report
}

/** Same as `findFault`, for a file; failure to open it counts as a fault. */
export function findFileFault(
  file: string,
  prepare?: (sqlite: Sqlite.Database) => void,
): string | null {
  try {
    const sqlite = new Sqlite(file, { fileMustExist: true, timeout: 5000 })
    try {
      prepare?.(sqlite)
      return findFault(sqlite)
    } finally {
      sqlite.close()
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
