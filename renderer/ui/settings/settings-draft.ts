import type { Setting, SettingValue } from '#contract/settings.ts'
import { layOut, parseSetting, toText } from './setting-value.ts'

type Settings = ReadonlyMap<string, Setting>

/** Unsaved values by setting key; an empty secret removes the stored one. */
export type SettingsDraft = Readonly<Record<string, string | undefined>>

/** Returns a setting as shown in its input before editing; a stored secret is never shown. */
export function storedText(settings: Settings, key: string): string {
  const setting = settings.get(key)
  if (!setting || setting.secret) return ''
  return setting.type === 'json' ? layOut(toText(setting.value)) : toText(setting.value)
}

/** Returns the current text in a setting's input. */
export const textOf = (settings: Settings, draft: SettingsDraft, key: string): string =>
  draft[key] ?? storedText(settings, key)

/**
 * Returns the values of some settings that would be saved: those that differ from the stored ones.
 */
export function toValues(
  settings: Settings,
  draft: SettingsDraft,
  keys: readonly string[],
): Record<string, SettingValue> {
  const rows = keys.flatMap((key) => {
    const setting = settings.get(key)
    const text = draft[key]
    if (!setting || setting.locked || text === undefined) return []
    const isKept = setting.secret
      ? text === '' && !setting.is_set
      : text === storedText(settings, key)
    if (isKept) return []
    return [
      [key, parseSetting(setting.type, setting.type === 'string' ? text.trim() : text)] as const,
    ]
  })
  return Object.fromEntries(rows)
}
