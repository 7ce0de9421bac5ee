import type { SelectQueryBuilder } from 'kysely'
import { among } from './among.ts'
import type { Schema } from './schema.ts'
import type { Storage } from './storage.ts'

/** Criteria of lists of items that users share with each other. */
export interface SharedFilter {
  /** Sees all items, or those that belong to `userId` or are among `grantedIds`. */
  readonly reader: {
    readonly userId: string
    readonly seesAll: boolean
    readonly grantedIds: ReadonlySet<string>
  }
  /** Items of the reader, or of other users; null for both. */
  readonly view: 'created' | 'shared' | null
}

/** Returns a query for the items of a table that the reader may see. */
export function selectShared<Table extends 'knowledge' | 'note' | 'prompt' | 'skill'>(
  { builder }: Storage,
  table: Table,
  { reader, view }: SharedFilter,
): SelectQueryBuilder<Schema, Table, object> {
  // The tables have the columns that are used here in common.
  let query = builder.selectFrom(table as 'skill')
  if (!reader.seesAll) {
    query = query.where((where) =>
      where.or([where('user_id', '=', reader.userId), where('id', 'in', among(reader.grantedIds))]),
    )
  }
  if (view !== null) query = query.where('user_id', view === 'created' ? '=' : '!=', reader.userId)
  return query as unknown as SelectQueryBuilder<Schema, Table, object>
}
