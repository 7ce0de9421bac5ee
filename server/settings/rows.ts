// Builds the rows of the settings table, one function for each kind of value.
import type { SettingDefinition } from './setting-definition.ts'
import { WEB_ADDRESS } from './web-address.ts'

/** Fields of a row beside its key, its kind and its default. */
type Rest = Omit<SettingDefinition, 'key' | 'type' | 'default' | 'minimum' | 'maximum'>

/** One value for all gateways, or one each for the desktop app and a server. */
type Default<Value> = Value | { readonly desktop: Value; readonly server: Value }

type Bounds = readonly [minimum: number, maximum: number]

const row =
  <Type extends SettingDefinition['type'], Value>(type: Type) =>
  <const Key extends string, const More extends Rest>(
    key: Key,
    value: Default<Value>,
    more: More,
  ) => ({ key, type, default: value, ...more })

/** A setting that is on or off. */
export const toggle = row<'boolean', boolean>('boolean')
export const text = row<'string', string>('string')
export const list = row<'list', string[]>('list')
/** A JSON text, of the schema in `json`. */
export const json = row<'json', string>('json')

const bounded =
  <Type extends 'integer' | 'number'>(type: Type) =>
  <const Key extends string, const More extends Rest>(
    key: Key,
    value: Default<number>,
    [minimum, maximum]: Bounds,
    more: More,
  ) => ({ key, type, default: value, minimum, maximum, ...more })

export const integer = bounded('integer')
export const number = bounded('number')

/** An address of a web server, or empty. */
export const address = <const Key extends string, const More extends Rest>(
  key: Key,
  value: string,
  more: More,
) => text(key, value, { pattern: WEB_ADDRESS, ...more })

/** A text that is stored encrypted; empty by default. */
export const secret = <const Key extends string, const More extends Rest>(key: Key, more: More) =>
  text(key, '', { secret: true, ...more })

/** Rows that are found by the same further words, apart from those with words of their own. */
export const foundBy = <const Rows extends readonly SettingDefinition[]>(
  searchWords: string,
  rows: Rows,
): Rows => rows.map((row) => ({ searchWords, ...row })) as readonly SettingDefinition[] as Rows
