import type { Setting } from '#contract/settings.ts'

export type OriginFilter = 'all' | 'changed' | 'environment'

/**
 * Groups settings by topic, in the gateway's order: those that contain every search term and have
 * the wanted source.
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

/** Preview of an import. */
export interface ConfigurationPreview {
  readonly changes: readonly { readonly key: string; readonly from: string; readonly to: string }[]
  /** Settings defined by the environment, which an import does not change. */
  readonly locked: readonly string[]
  /** Names unknown to this release. */
  readonly unknown: readonly string[]
}

/** Removes line breaks from JSON; returns invalid JSON unchanged. */
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

/** Compares an exported configuration with the current settings. */
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
