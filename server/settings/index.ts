import type { Setting, SettingValue } from '#contract/settings.ts'
import type { Config } from '../config/config.ts'
import { badRequest } from '../lib/errors.ts'
import type { Route } from '../lib/http.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets.ts'
import { createConfigRoutes } from './config-routes.ts'
import { settingDefinitions, type SettingKey } from './definitions.ts'
import type { SettingDefinition } from './setting-definition.ts'
import { describeAllowed, parseValue } from './parse-value.ts'
import { createSettingsRoutes } from './routes.ts'
import { createSettingRows, describeRow, valueOf, type SettingRow } from './setting-row.ts'
import { createSettingsStore } from './store.ts'

export { describeConfiguration } from './describe-configuration.ts'

/** A name written down must be that of a setting of the type; a computed one is checked when read. */
type Known<Key extends string, Type extends SettingDefinition['type']> = string extends Key
  ? Key
  : SettingKey<Type>

/**
 * Values of all settings: stored override, else environment, else default (decisions §1). Reads are
 * from memory.
 */
export interface Settings {
  boolean<Key extends string>(key: Key & Known<Key, 'boolean'>): boolean
  /** A list reads as its entries joined by commas. */
  string<Key extends string>(key: Key & Known<Key, 'string' | 'list'>): string
  integer<Key extends string>(key: Key & Known<Key, 'integer'>): number
  /** The value of a `number` setting, which may have a fraction. */
  number<Key extends string>(key: Key & Known<Key, 'number'>): number
  list<Key extends string>(key: Key & Known<Key, 'list'>): readonly string[]
  /**
   * The value of a `json` setting, as its row's schema checked it; parsed once per change. Not to
   * be modified.
   */
  json<Value>(key: string): Value
  /** All rows for the settings page; secrets without their value. */
  describe(): Setting[]
  /**
   * Stores values, null removes the override; 400 with the key and reason for a value that does not
   * fit. Atomic.
   */
  update(values: Record<string, SettingValue>): void
  onChange(listener: (keys: readonly string[]) => void): void
  readonly routes: readonly Route[]
}

/** What the settings are built from. */
export interface SettingsDependencies {
  readonly storage: Storage
  readonly secrets: Secrets
  readonly config: Config
  /** The table of settings; the program's own unless a test says otherwise. */
  readonly definitions?: readonly SettingDefinition[]
}

/** Builds the settings; a variable of the environment that does not fit its row stops the start. */
export function createSettings({
  storage,
  secrets,
  config,
  definitions = settingDefinitions,
}: SettingsDependencies): Settings {
  const store = createSettingsStore(storage, secrets)
  const secretKeys = new Set(definitions.filter(({ secret }) => secret).map(({ key }) => key))
  const rows = createSettingRows(definitions, config, store.readAll(secretKeys))
  const listeners: ((keys: readonly string[]) => void)[] = []

  function read(key: string, type: Setting['type']): SettingValue {
    const row = rows.get(key)
    if (row?.definition.type !== type) throw new TypeError(`There is no ${type} setting ${key}.`)
    return valueOf(row)
  }

  /** Parsed values of `json` settings by their text. */
  const parsed = new Map<string, { text: string; value: unknown }>()
  function readJson(key: string): unknown {
    const text = read(key, 'json') as string
    const known = parsed.get(key)
    if (known?.text === text) return known.value
    const value: unknown = JSON.parse(text)
    parsed.set(key, { text, value })
    return value
  }

  function parseChange([key, raw]: [string, SettingValue]): {
    key: string
    row: SettingRow
    value: SettingValue
  } {
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

  const settings: Omit<Settings, 'routes'> = {
    boolean: (key) => read(key, 'boolean') as boolean,
    integer: (key) => read(key, 'integer') as number,
    number: (key) => read(key, 'number') as number,
    list: (key) => read(key, 'list') as string[],
    json: <Value>(key: string) => readJson(key) as Value,
    string: (key) =>
      rows.get(key)?.definition.type === 'list'
        ? (read(key, 'list') as string[]).join(',')
        : (read(key, 'string') as string),
    describe: () => [...rows.values()].map(describeRow),
    update(values) {
      const changes = Object.entries(values).map(parseChange)
      storage.transaction(() => {
        for (const { key, value } of changes) {
          if (value === null) store.remove(key)
          else store.write(key, value, secretKeys.has(key))
        }
      })
      for (const { row, value } of changes) row.stored = value
      for (const listener of listeners) listener(changes.map(({ key }) => key))
    },
    onChange: (listener) => void listeners.push(listener),
  }
  return {
    ...settings,
    routes: [...createSettingsRoutes(settings), ...createConfigRoutes(settings)],
  }
}
