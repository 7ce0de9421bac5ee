import { connect } from '../sqlite/connect.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/all.ts'

/** A table to be copied, the same on both engines. */
export interface MovedTable {
  readonly name: string
  /** Includes `rowid` first if no column of the table stores the order of the rows. */
  readonly columns: readonly string[]
  /** Expressions, by column name, for columns that are not read unchanged from the source. */
  readonly changed?: Readonly<Record<string, string>>
  /** Condition of the copied rows; all of them when absent. */
  readonly condition?: string
}

/**
 * Tables of the applied steps, which both have, and of values that are recomputed from the copied
 * rows.
 */
const NOT_COPIED = new Set(['schema_migration', 'retrieval_generation', 'retrieval_codes'])

/**
 * Documents are copied with their passages but without an engine, so that the next start recreates
 * their words and vectors, as after a change of the engine.
 */
const CHANGES: Readonly<Record<string, Pick<MovedTable, 'changed' | 'condition'>>> = {
  retrieval_document: {
    changed: { engine: "''", dimensions: '0' },
    condition: "state = 'ready'",
  },
  retrieval_chunk: {
    condition:
      "exists (select 1 from retrieval_document d where d.seq = document_seq and d.state = 'ready')",
  },
}

const LIST =
  "select name, wr from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name"

const named = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** Returns the query for the copied rows of a table. */
export function selectMoved({ name, columns, changed = {}, condition }: MovedTable): string {
  const selected = columns.map((column) => changed[column] ?? `"${column}"`).join(', ')
  return `select ${selected} from "${name}"${condition === undefined ? '' : ` where ${condition}`}`
}

/** Returns the query for all rows of a table in the target. */
export const selectArrived = ({ name, columns }: MovedTable): string =>
  `select ${named(columns)} from "${name}"`

/** Returns all tables whose rows are kept, as created by the schema steps; without word indexes. */
export function listMovedTables(): MovedTable[] {
  const sqlite = connect(':memory:')
  try {
    migrate(sqlite, migrations)
    const columnsOf = sqlite.prepare<[string], { name: string; type: string; pk: number }>(
      'select name, type, pk from pragma_table_info(?) order by cid',
    )
    return sqlite
      .prepare<[], { name: string; wr: number }>(LIST)
      .all()
      .filter(({ name }) => !NOT_COPIED.has(name))
      .map(({ name, wr }) => {
        const columns = columnsOf.all(name)
        const isNumbered = columns.some(({ type, pk }) => pk === 1 && type === 'INTEGER')
        const names = columns.map((column) => column.name)
        const all = wr === 1 || isNumbered ? names : ['rowid', ...names]
        return { name, columns: all, ...CHANGES[name] }
      })
  } finally {
    sqlite.close()
  }
}
