import { connect } from '../connect.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/all.ts'

/** A table as it is copied, the same on both engines. */
export interface MovedTable {
  readonly name: string
  /** With `rowid` first where the order of the rows is in no column of its own. */
  readonly columns: readonly string[]
}

/**
 * What is made from the files again: the index of documents. A file without its index is read
 * anew.
 */
const isMadeAnew = (table: string): boolean => table.startsWith('retrieval_')

const LIST =
  "select name, wr from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name"

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
      .filter(({ name }) => name !== 'schema_migration' && !isMadeAnew(name))
      .map(({ name, wr }) => {
        const columns = columnsOf.all(name)
        const isNumbered = columns.some(({ type, pk }) => pk === 1 && type === 'INTEGER')
        const names = columns.map((column) => column.name)
        return { name, columns: wr === 1 || isNumbered ? names : ['rowid', ...names] }
      })
  } finally {
    sqlite.close()
  }
}
