import { isRecord, type Fields } from '../lib/is-record.ts'
import { requireKnown } from '../lib/known-version.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import type { PluginTable } from '../storage/tables/plugins.ts'
import type { BuiltInFunction } from './built-in/contract.ts'
import { readDescription, type Description } from './sources/description.ts'
import type { PluginKey } from './host-request.ts'

/** A stored tool or function. */
export interface PluginRecord extends PluginKey {
  readonly userId: string
  /** The last editor of the source; empty if unknown. */
  readonly authorId: string
  readonly name: string
  readonly kind: PluginTable['kind']
  readonly content: string
  readonly meta: Fields
  readonly description: Description
  readonly valves: Fields | null
  readonly isActive: boolean
  readonly isGlobal: boolean
  readonly fault: string | null
  /** Built-in code instead of a source; null for stored plugins. */
  readonly builtIn: BuiltInFunction | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Fields that can be changed. */
export type PluginChanges = Partial<
  Omit<PluginRecord, keyof PluginKey | 'userId' | 'createdAt' | 'builtIn'>
>

/** Fields of a built-in function that administrators change. */
export type Switches = Pick<PluginRecord, 'isActive' | 'isGlobal' | 'updatedAt'>

const valvesPlace = ({ store, id }: PluginKey): string => `plugin|${store}/${id}|valves`
const userValvesPlace = ({ store, id }: PluginKey, userId: string): string =>
  `plugin_user_valves|${store}/${id}/${userId}|valves`

const parse = (text: string): Fields => {
  const value: unknown = JSON.parse(text)
  return isRecord(value) ? value : {}
}

/**
 * SQL on the tables of `0017-plugins`. Settings of plugins contain keys of other services, so all
 * of them are encrypted.
 */
export class PluginStore {
  readonly #storage: Storage
  readonly #secrets: Secrets
  readonly #builder

  constructor(storage: Storage, secrets: Secrets) {
    this.#storage = storage
    this.#secrets = secrets
    this.#builder = storage.builder
  }

  async all(): Promise<PluginRecord[]> {
    return (
      await this.#storage.all(
        this.#builder.selectFrom('plugin').selectAll().orderBy('store').orderBy('id'),
      )
    ).map((row) => this.#toRecord(row))
  }

  /** Resolves with false if there is a plugin with this id, which stays as it is. */
  async insert(record: Omit<PluginRecord, 'builtIn'>): Promise<boolean> {
    const { store, id, userId, createdAt } = record
    const columns = this.#toColumns(record, record) as Omit<
      PluginTable,
      'store' | 'id' | 'user_id' | 'created_at'
    >
    const inserted = await this.#storage.run(
      this.#builder
        .insertInto('plugin')
        .values({ ...columns, store, id, user_id: userId, created_at: createdAt })
        .onConflict((conflict) => conflict.columns(['store', 'id']).doNothing()),
    )
    return inserted > 0
  }

  /** Throws 409 if `knownAt` is not the time of the stored version. */
  async update(key: PluginKey, changes: PluginChanges, knownAt?: number): Promise<void> {
    const place = { store: key.store, id: key.id }
    await this.#storage.transaction(async () => {
      const row = await this.#storage.find('plugin', place)
      if (row) requireKnown(row.updated_at, knownAt)
      await this.#storage.update('plugin', place, this.#toColumns(key, changes))
    })
  }

  /** Stores the switches of a built-in function, whose row is created when it is first switched. */
  putSwitches(record: Omit<PluginRecord, 'builtIn'>, switches: Switches): Promise<void> {
    return this.#storage.transaction(async () => {
      if (await this.#has(record)) await this.update(record, switches)
      else await this.insert({ ...record, ...switches, createdAt: switches.updatedAt })
    })
  }

  async remove(key: PluginKey): Promise<void> {
    await this.#storage.remove('plugin', { store: key.store, id: key.id })
  }

  async userValves(key: PluginKey, userId: string): Promise<Fields | null> {
    const query = this.#builder
      .selectFrom('plugin_user_valves')
      .select('valves')
      .where('store', '=', key.store)
      .where('plugin_id', '=', key.id)
      .where('user_id', '=', userId)
    const row = await this.#storage.get(query)
    return row ? this.#decrypt(userValvesPlace(key, userId), row.valves) : null
  }

  /** Resolves with false if there is no such plugin. */
  setUserValves(key: PluginKey, userId: string, values: Fields): Promise<boolean> {
    const valves = this.#secrets.encrypt(userValvesPlace(key, userId), JSON.stringify(values))
    return this.#storage.transaction(async () => {
      if (!(await this.#has(key))) return false
      await this.#storage.run(
        this.#builder
          .insertInto('plugin_user_valves')
          .values({ store: key.store, plugin_id: key.id, user_id: userId, valves })
          .onConflict((conflict) =>
            conflict.columns(['store', 'plugin_id', 'user_id']).doUpdateSet({ valves }),
          ),
      )
      return true
    })
  }

  #decrypt(place: string, text: string | null): Fields | null {
    const plain = text === null ? null : this.#secrets.decrypt(place, text)
    return plain === null ? null : parse(plain)
  }

  #toRecord(row: PluginTable): PluginRecord {
    return {
      store: row.store,
      id: row.id,
      userId: row.user_id,
      authorId: row.author_id,
      name: row.name,
      kind: row.kind,
      content: row.content,
      meta: parse(row.meta),
      description: readDescription(parse(row.description)),
      valves: this.#decrypt(valvesPlace(row), row.valves),
      isActive: row.is_active === 1,
      isGlobal: row.is_global === 1,
      fault: row.fault,
      builtIn: null,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  }

  async #has({ store, id }: PluginKey): Promise<boolean> {
    return (
      (await this.#storage.get(
        this.#builder
          .selectFrom('plugin')
          .select('id')
          .where('store', '=', store)
          .where('id', '=', id),
      )) !== undefined
    )
  }

  #toColumns(key: PluginKey, changes: PluginChanges): Partial<PluginTable> {
    return {
      ...(changes.name !== undefined && { name: changes.name }),
      ...(changes.kind !== undefined && { kind: changes.kind }),
      ...(changes.content !== undefined && { content: changes.content }),
      ...(changes.authorId !== undefined && { author_id: changes.authorId }),
      ...(changes.meta !== undefined && { meta: JSON.stringify(changes.meta) }),
      ...(changes.description !== undefined && {
        description: JSON.stringify(changes.description),
      }),
      ...(changes.valves !== undefined && {
        valves:
          changes.valves === null
            ? null
            : this.#secrets.encrypt(valvesPlace(key), JSON.stringify(changes.valves)),
      }),
      ...(changes.isActive !== undefined && { is_active: changes.isActive ? 1 : 0 }),
      ...(changes.isGlobal !== undefined && { is_global: changes.isGlobal ? 1 : 0 }),
      ...(changes.fault !== undefined && { fault: changes.fault }),
      ...(changes.updatedAt !== undefined && { updated_at: changes.updatedAt }),
    }
  }
}
