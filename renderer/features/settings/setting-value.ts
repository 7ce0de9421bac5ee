import type { Setting, SettingValue } from '#contract/settings.ts'

const SEPARATOR = ';'

/** A value as it stands in its box. */
export const toText = (value: SettingValue): string => (Array.isArray(value) ? value.join(SEPARATOR) : value === null ? '' : String(value))

/** JSON with line breaks, to be read and changed by people; what is no JSON stays as it is. */
export function layOut(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

/** Reads what was typed as a value of the setting's type. */
export function parseSetting(type: Setting['type'], text: string): SettingValue {
  if (type === 'integer' || type === 'number') return Number(text)
  if (type !== 'list') return text
  return text
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter(Boolean)
}

/** Where a text is no JSON, in the words of the machine; null when it is. */
export function findJsonFault(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}

export type OriginFilter = 'all' | 'changed' | 'environment'

/** Settings by what they are about, in the order of the gateway: those that hold every word and come from the wanted place. */
export function groupSettings(
  settings: readonly Setting[],
  query: string,
  origin: OriginFilter,
): readonly (readonly [Setting['group'], readonly Setting[]])[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<Setting['group'], Setting[]>()
  for (const setting of settings) {
    if (origin === 'changed' && setting.origin !== 'stored') continue
    if (origin === 'environment' && setting.origin !== 'environment') continue
    const text = `${setting.key} ${setting.help}`.toLowerCase()
    if (words.every((word) => text.includes(word))) groups.set(setting.group, [...(groups.get(setting.group) ?? []), setting])
  }
  return [...groups]
}

/** What an import would do. */
export interface ConfigurationPreview {
  readonly changes: readonly { readonly key: string; readonly from: string; readonly to: string }[]
  /** Settings the environment decides; an import leaves them. */
  readonly locked: readonly string[]
  /** Names this release does not know. */
  readonly unknown: readonly string[]
}

/** JSON without its line breaks; what is no JSON stays as it is. */
function pack(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json))
  } catch {
    return json
  }
}

function asText(type: Setting['type'], value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return type === 'json' ? pack(value) : value
}

/** Compares an exported configuration with the settings as they are. */
export function previewConfiguration(settings: readonly Setting[], config: Readonly<Record<string, unknown>>): ConfigurationPreview {
  const known = new Map(settings.map((setting) => [setting.key, setting]))
  const entries = Object.entries(config)
  const changes = entries.flatMap(([key, value]) => {
    const setting = known.get(key)
    if (!setting || setting.locked) return []
    const from = asText(setting.type, setting.value)
    const to = asText(setting.type, value)
    return from === to ? [] : [{ key, from, to }]
  })
  return {
    changes,
    locked: entries.flatMap(([key]) => (known.get(key)?.locked ? [key] : [])),
    unknown: entries.flatMap(([key]) => (known.has(key) ? [] : [key])),
  }
}
