import { isDeepStrictEqual } from 'node:util'
import type { Setting, SettingValue } from '#contract/settings.ts'
import type { Config } from '../config/config.ts'
import { badRequest } from '../lib/errors.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import { settingDefinitions, type SettingName, type SettingValues } from './definitions.ts'
import { describeAllowed, parseValue } from './parse-value.ts'
import type { SettingDefinition } from './setting-definition.ts'
import { createSettingRows, describeRow, readRow, type SettingRow } from './setting-row.ts'
import { createSettingsStore } from './store.ts'

/**
 * Read access to the settings of the given names: a module declares by these names what it depends
 * on.
 */
export interface Settings<in Name extends SettingName = SettingName> {
  /** Returns the current value, from memory; must not be modified. */
  get<Key extends Name>(key: Key): SettingValues[Key]
}

/** Returns the values of the given settings by name. */
export const pickSettings = <Name extends SettingName>(
  settings: Settings<Name>,
  names: readonly Name[],
): Pick<SettingValues, Name> =>
  Object.fromEntries(names.map((name) => [name, settings.get(name)])) as Pick<SettingValues, Name>

function parseChange(rows: ReadonlyMap<string, SettingRow>, [key, raw]: [string, SettingValue]) {
  const row = rows.get(key)
  if (!row)
    throw badRequest(`There is no setting ${JSON.stringify(key)}.`, { code: 'unknown_setting' })
  if (row.definition.environmentOnly)
    throw badRequest(`${key} can only be set in the environment of the gateway.`)
  if (row.isClosed)
    throw badRequest(
      `${key} is decided by the environment of the gateway. Start it with ${row.definition.lockedUnless}=true to change it here.`,
      { code: 'setting_locked' },
    )
  const value = parseValue(row.definition, raw)
  if (raw !== null && value === null)
    throw badRequest(`${key} must be ${describeAllowed(row.definition)}.`, {
      code: 'invalid_setting',
    })
  return { key, row, value }
}

/** Stored settings and the services to read them. */
interface StoredSettings {
  readonly storage: Storage
  readonly store: ReturnType<typeof createSettingsStore>
  readonly secretKeys: ReadonlySet<string>
  readonly rows: ReadonlyMap<string, SettingRow>
}

/**
 * Values of all settings: stored override, else environment, else default. An environment variable
 * that does not fit its row prevents the start.
 */
export class GatewaySettings implements Settings {
  readonly #storage: Storage
  readonly #store: ReturnType<typeof createSettingsStore>
  readonly #secretKeys: ReadonlySet<string>
  readonly #rows: ReadonlyMap<string, SettingRow>
  readonly #values: Map<string, unknown>
  readonly #listeners: ((keys: readonly string[]) => Promise<void>)[] = []

  private constructor({ storage, store, secretKeys, rows }: StoredSettings) {
    this.#storage = storage
    this.#store = store
    this.#secretKeys = secretKeys
    this.#rows = rows
    this.#values = new Map([...rows].map(([key, row]) => [key, readRow(row)]))
  }

  /** Reads the stored settings; from then on every value is in memory. */
  static async open({
    storage,
    secrets,
    config,
    definitions = settingDefinitions,
  }: {
    readonly storage: Storage
    readonly secrets: Secrets
    readonly config: Config
    /** The table of settings; the program's own except in tests. */
    readonly definitions?: readonly SettingDefinition[]
  }): Promise<GatewaySettings> {
    const store = createSettingsStore(storage, secrets)
    const secretKeys = new Set(definitions.filter(({ secret }) => secret).map(({ key }) => key))
    const rows = createSettingRows(definitions, config, await store.readAll(secretKeys))
    const settings = new GatewaySettings({ storage, store, secretKeys, rows })
    storage.onOthersChange(['setting'], () => settings.#readAgain())
    return settings
  }

  get<Key extends SettingName>(key: Key): SettingValues[Key] {
    // The only cast of a value to the type of its row.
    return this.#values.get(key) as SettingValues[Key]
  }

  /** Returns all rows for the settings page; secrets without their value. */
  describe(): Setting[] {
    return [...this.#rows.values()].map(describeRow)
  }

  /** Returns a `json` setting as its parsed value, any other as it is described. */
  exported({ key, value }: Setting): unknown {
    return this.#rows.get(key)?.definition.type === 'json' ? this.#values.get(key) : value
  }

  /**
   * Stores values, null removes the override; throws 400 with the key and reason for a value that
   * does not fit. Atomic.
   */
  async update(values: Readonly<Record<string, SettingValue>>): Promise<void> {
    const changes = Object.entries(values).map((change) => parseChange(this.#rows, change))
    await this.#storage.transaction(async () => {
      for (const { key, value } of changes) {
        if (value === null) await this.#store.remove(key)
        else await this.#store.write(key, value, this.#secretKeys.has(key))
      }
    })
    const take = (): Promise<void> => this.#take(changes)
    // The transaction of a caller may still be rolled back.
    if (this.#storage.inTransaction) this.#storage.afterCommit(take)
    else await take()
  }

  async #take(
    changes: readonly { key: string; row: SettingRow; value: SettingValue }[],
  ): Promise<void> {
    for (const { key, row, value } of changes) {
      row.stored = value
      this.#values.set(key, readRow(row))
    }
    for (const listener of this.#listeners) await listener(changes.map(({ key }) => key))
  }

  /** Loads the settings stored by other gateways. */
  async #readAgain(): Promise<void> {
    const stored = await this.#store.readAll(this.#secretKeys)
    const changes = [...this.#rows]
      .map(([key, row]) => ({
        key,
        row,
        value: parseValue(row.definition, stored.get(key) ?? null),
      }))
      .filter(({ row, value }) => !isDeepStrictEqual(row.stored, value))
    if (changes.length > 0) await this.#take(changes)
  }

  onChange(listener: (keys: readonly string[]) => Promise<void>): void {
    this.#listeners.push(listener)
  }
}
