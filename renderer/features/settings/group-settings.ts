import type { Setting } from '#contract/settings.ts'

export type OriginFilter = 'all' | 'changed' | 'environment'

/**
 * Settings by what they are about, in the order of the gateway: those that hold every word and come
 * from the wanted place.
 */
export function groupSettings(
  settings: readonly Setting[],
  query: string,
  origin: OriginFilter,
  textOf: (setting: Setting) => string = ({ key, help }) => `${key} ${help}`,
): readonly (readonly [Setting['group'], readonly Setting[]])[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<Setting['group'], Setting[]>()
  for (const setting of settings) {
    if (origin === 'changed' && setting.origin !== 'stored') continue
    if (origin === 'environment' && setting.origin !== 'environment') continue
    const text = textOf(setting).toLowerCase()
    if (words.every((word) => text.includes(word)))
      groups.set(setting.group, [...(groups.get(setting.group) ?? []), setting])
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
export function previewConfiguration(
  settings: readonly Setting[],
  config: Readonly<Record<string, unknown>>,
): ConfigurationPreview {
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
