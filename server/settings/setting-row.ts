import type { Setting, SettingValue } from '#contract/settings.ts'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { defaultOf } from './definitions.ts'
import type { SettingDefinition } from './setting-definition.ts'
import { describeAllowed, LEAST, parseValue } from './parse-value.ts'

/** One setting with the values of all its sources; null if a source has none. */
export interface SettingRow {
  readonly definition: SettingDefinition
  readonly fallback: SettingValue
  readonly environment: SettingValue
  /** True if the environment overrides a stored value. */
  readonly locked: boolean
  /** True if the environment switch that would allow changes is off. */
  readonly isClosed: boolean
  stored: SettingValue
}

/** An empty variable counts as unset if an empty text is no valid value. */
function readEnvironment(definition: SettingDefinition, config: Config): SettingValue {
  const { key, alias } = definition
  const text =
    config.environment[key] ?? (alias === undefined ? undefined : config.environment[alias])
  const hasEmptyValue =
    definition.type === 'list' ||
    (definition.type === 'string' && parseValue(definition, '') !== null)
  if (text === undefined || (text.trim() === '' && !hasEmptyValue)) return null
  const value = parseValue(definition, text)
  if (value !== null) return value
  const shown = definition.secret ? '' : `=${JSON.stringify(text)}`
  throw new StartError(
    `${definition.key}${shown} is not possible. It must be ${describeAllowed(definition)}.`,
    { exitCode: 2 },
  )
}

const PERSISTENCE_KEY = 'ENABLE_PERSISTENT_CONFIG'

/**
 * Joins the table with environment and stored values; a variable that does not fit its row prevents
 * the start.
 */
export function createSettingRows(
  definitions: readonly SettingDefinition[],
  config: Config,
  stored: ReadonlyMap<string, SettingValue>,
): Map<string, SettingRow> {
  const persistence = definitions.find(({ key }) => key === PERSISTENCE_KEY)
  const environmentWins =
    persistence !== undefined && readEnvironment(persistence, config) === false
  const isClosed = ({ lockedUnless }: SettingDefinition): boolean => {
    const gate =
      lockedUnless === undefined ? undefined : definitions.find(({ key }) => key === lockedUnless)
    return gate !== undefined && readEnvironment(gate, config) !== true
  }
  const toRow = (definition: SettingDefinition): SettingRow => {
    const environment = readEnvironment(definition, config)
    return {
      definition,
      environment,
      fallback: defaultOf(definition, config.mode),
      locked:
        definition.environmentOnly === true ||
        isClosed(definition) ||
        (environmentWins && environment !== null),
      isClosed: isClosed(definition),
      stored: parseValue(definition, stored.get(definition.key) ?? null),
    }
  }
  return new Map(definitions.map((definition) => [definition.key, toRow(definition)]))
}

function originOf(row: SettingRow): Setting['origin'] {
  if (row.stored !== null && !row.locked) return 'stored'
  return row.environment === null ? 'default' : 'environment'
}

/**
 * Returns the effective value: stored override, else environment, else default (docs/decisions.md).
 */
export function valueOf(row: SettingRow): SettingValue {
  const origin = originOf(row)
  return origin === 'stored'
    ? row.stored!
    : origin === 'environment'
      ? row.environment!
      : row.fallback
}

/** Returns the value of a row as read: the output of its schema for a `json` setting. */
export function readRow(row: SettingRow): unknown {
  const value = valueOf(row)
  return row.definition.type === 'json' ? JSON.parse(String(value)) : value
}

/** Returns the row in the form shown by the settings page. */
export function describeRow(row: SettingRow): Setting {
  const {
    key,
    type,
    help,
    secret = false,
    group = 'operation',
    allowed,
    minimum,
    maximum,
    isLong = false,
  } = row.definition
  const value = valueOf(row)
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
  const shown = secret ? { value: null, default: null } : { value, default: row.fallback }
  const limits = {
    ...(allowed && { allowed: [...allowed] }),
    ...((type === 'integer' || type === 'number') && {
      minimum: minimum ?? LEAST,
      ...(maximum !== undefined && { maximum }),
    }),
  }
  const gate = row.isClosed ? { locked_unless: row.definition.lockedUnless } : {}
  return {
    key,
    type,
    ...shown,
    origin: originOf(row),
    locked: row.locked,
    ...gate,
    secret,
    is_set: !isEmpty,
    help,
    ...limits,
    ...(isLong && { long: true }),
    group,
  }
}
