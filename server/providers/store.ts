import { sql } from 'kysely'
import { nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import type { ConnectionsTables } from '../storage/tables/connections.ts'
import type { ConnectionRecord } from './connections/connection-record.ts'

type Row = ConnectionsTables['connection']

/** Stores the connections an administrator added. */
export class ConnectionStore {
  readonly #storage: Storage
  readonly #secrets: Secrets

  constructor({ storage, secrets }: { storage: Storage; secrets: Secrets }) {
    this.#storage = storage
    this.#secrets = secrets
  }

  /** Lists in order of creation, even within one second: scripts refer to them by position. */
  async list(): Promise<ConnectionRecord[]> {
    const rows = this.#rows()
      .orderBy('created_at')
      .orderBy(sql`rowid`)
    return (await this.#storage.all(rows)).map((row) => this.#toRecord(row))
  }

  async get(id: string): Promise<ConnectionRecord | null> {
    const row = await this.#storage.get(this.#rows().where('id', '=', id))
    return row ? this.#toRecord(row) : null
  }

  async insert(record: ConnectionRecord): Promise<void> {
    const row = { id: record.id, created_at: nowSeconds(), ...this.#toColumns(record) }
    await this.#storage.insert('connection', row)
  }

  async update(record: ConnectionRecord): Promise<void> {
    const { key, headers, ...plain } = this.#toColumns(record)
    // Secrets that cannot be read now are kept, because the root secret may be restored.
    const columns = record.isLocked ? plain : { ...plain, key, headers }
    await this.#storage.update('connection', record.id, columns)
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('connection', id)
  }

  #rows() {
    return this.#storage.builder.selectFrom('connection').selectAll()
  }

  #toRecord({ key: sealedKey, headers: sealedHeaders, ...row }: Row): ConnectionRecord {
    const key = this.#open(row.id, 'key', sealedKey)
    const headers = this.#open(row.id, 'headers', sealedHeaders)
    const { created_at: _created, updated_at: _updated, ...fields } = row
    return {
      ...fields,
      enabled: row.enabled === 1,
      use_proxy: row.use_proxy === 1,
      model_ids: JSON.parse(row.model_ids) as string[],
      headers: JSON.parse(headers.text ?? '{}') as Record<string, string>,
      origin: 'stored',
      overridden: [],
      key: key.text,
      isLocked: key.isLocked || headers.isLocked,
    }
  }

  #open(
    id: string,
    column: 'key' | 'headers',
    value: string | null,
  ): { text: string | null; isLocked: boolean } {
    const text = value === null ? null : this.#secrets.decrypt(`connection|${id}|${column}`, value)
    return { text, isLocked: value !== null && text === null }
  }

  #toColumns(record: ConnectionRecord): Omit<Row, 'id' | 'created_at'> {
    const { id, kind, name, url, prefix_id, timeout_seconds, connection_type, access, key } = record
    const { trusted_certificate } = record
    const hasHeaders = Object.keys(record.headers).length > 0
    return {
      kind,
      name,
      url,
      prefix_id,
      timeout_seconds,
      connection_type,
      access,
      trusted_certificate,
      use_proxy: record.use_proxy ? 1 : 0,
      enabled: record.enabled ? 1 : 0,
      model_ids: JSON.stringify(record.model_ids),
      headers: hasHeaders
        ? this.#secrets.encrypt(`connection|${id}|headers`, JSON.stringify(record.headers))
        : null,
      key: key === null ? null : this.#secrets.encrypt(`connection|${id}|key`, key),
      updated_at: nowSeconds(),
    }
  }
}
