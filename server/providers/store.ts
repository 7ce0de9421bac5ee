import { sql } from 'kysely'
import { nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { ConnectionsTables } from '../storage/tables/connections.ts'
import type { ConnectionRecord } from './connection-record.ts'

type Row = ConnectionsTables['connection']

/** Connections an admin added. */
export interface ConnectionStore {
  list(): ConnectionRecord[]
  get(id: string): ConnectionRecord | null
  insert(record: ConnectionRecord): void
  update(record: ConnectionRecord): void
  remove(id: string): void
}

export function createConnectionStore(storage: Storage, secrets: Secrets): ConnectionStore {
  const { builder } = storage
  const all = builder.selectFrom('connection').selectAll()

  function open(
    id: string,
    column: 'key' | 'headers',
    value: string | null,
  ): { text: string | null; isLocked: boolean } {
    const text = value === null ? null : secrets.decrypt(`connection|${id}|${column}`, value)
    return { text, isLocked: value !== null && text === null }
  }

  function toRecord(row: Row): ConnectionRecord {
    const key = open(row.id, 'key', row.key)
    const headers = open(row.id, 'headers', row.headers)
    return {
      id: row.id,
      kind: row.kind,
      name: row.name,
      url: row.url,
      enabled: row.enabled === 1,
      prefix_id: row.prefix_id,
      model_ids: JSON.parse(row.model_ids) as string[],
      headers: JSON.parse(headers.text ?? '{}') as Record<string, string>,
      timeout_seconds: row.timeout_seconds,
      connection_type: row.connection_type,
      origin: 'stored',
      overridden: [],
      key: key.text,
      isLocked: key.isLocked || headers.isLocked,
    }
  }

  function toColumns(record: ConnectionRecord): Omit<Row, 'id' | 'created_at'> {
    const {
      id,
      kind,
      name,
      url,
      enabled,
      prefix_id,
      model_ids,
      headers,
      key,
      timeout_seconds,
      connection_type,
    } = record
    const hasHeaders = Object.keys(headers).length > 0
    return {
      kind,
      name,
      url,
      prefix_id,
      timeout_seconds,
      connection_type,
      enabled: enabled ? 1 : 0,
      model_ids: JSON.stringify(model_ids),
      headers: hasHeaders
        ? secrets.encrypt(`connection|${id}|headers`, JSON.stringify(headers))
        : null,
      key: key === null ? null : secrets.encrypt(`connection|${id}|key`, key),
      updated_at: nowSeconds(),
    }
  }

  return {
    // In the order they were added, also within one second: scripts name them by their place.
    list: () => storage.all(all.orderBy('created_at').orderBy(sql`rowid`)).map(toRecord),
    get(id) {
      const row = storage.get(all.where('id', '=', id))
      return row ? toRecord(row) : null
    },
    insert(record) {
      const row = { id: record.id, created_at: nowSeconds(), ...toColumns(record) }
      storage.run(builder.insertInto('connection').values(row))
    },
    update(record) {
      const { key, headers, ...plain } = toColumns(record)
      // Secrets that cannot be read now stay, for the day the right root secret is back.
      const columns = record.isLocked ? plain : { ...plain, key, headers }
      storage.run(builder.updateTable('connection').set(columns).where('id', '=', record.id))
    },
    remove(id) {
      storage.run(builder.deleteFrom('connection').where('id', '=', id))
    },
  }
}
