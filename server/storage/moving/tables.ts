import { connect } from '../connect.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/all.ts'

/** A table as it is copied, the same on both engines. */
export interface MovedTable {
  readonly name: string
  /** With `rowid` first where the order of the rows is in no column of its own. */
  readonly columns: readonly string[]
  /** How columns are read at the source when not as they are, by their names. */
  readonly changed?: Readonly<Record<string, string>>
  /** Which rows are copied; all of them when absent. */
  readonly condition?: string
}

/** The steps taken, which both have, and what is set anew from the rows that came. */
const NOT_COPIED = new Set(['schema_migration', 'retrieval_generation', 'retrieval_codes'])

/**
 * Documents are copied with their passages as documents of no engine, so that the next start makes
 * their words and vectors anew, as after a change of the engine.
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

/** What of a table is copied. */
export function selectMoved({ name, columns, changed = {}, condition }: MovedTable): string {
  const selected = columns.map((column) => changed[column] ?? `"${column}"`).join(', ')
  return `select ${selected} from "${name}"${condition === undefined ? '' : ` where ${condition}`}`
}

/** All of a table, as it arrived. */
export const selectArrived = ({ name, columns }: MovedTable): string =>
  `select ${named(columns)} from "${name}"`

/** All tables whose rows are kept, as the steps of the schema make them; without indexes of words. */
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
