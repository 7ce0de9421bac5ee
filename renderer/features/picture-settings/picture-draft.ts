import type { Setting, SettingValue } from '#contract/settings.ts'
import { layOut, parseSetting, toText } from '../../ui/settings/setting-value.ts'
import { type EngineKind, kindsOf, type Purpose } from './engine-keys.ts'

type Settings = ReadonlyMap<string, Setting>

/** Unsaved values by setting key; an empty secret removes the stored one. */
export type PictureDraft = Readonly<Record<string, string | undefined>>

/** Returns a setting as shown in its input before editing; a stored secret is never shown. */
export function storedText(settings: Settings, key: string): string {
  const setting = settings.get(key)
  if (!setting || setting.secret) return ''
  return setting.type === 'json' ? layOut(toText(setting.value)) : toText(setting.value)
}

/** Returns the current text in a setting's input. */
export const textOf = (settings: Settings, draft: PictureDraft, key: string): string =>
  draft[key] ?? storedText(settings, key)

/** Returns the selected engine; null for an unknown value. */
export function engineOf(
  settings: Settings,
  draft: PictureDraft,
  purpose: Purpose,
): EngineKind | null {
  const engine = textOf(settings, draft, purpose.engine)
  return kindsOf(purpose).find((kind) => kind === engine) ?? null
}

/**
 * Returns the values of some settings that would be saved: those that differ from the stored ones.
 */
export function toValues(
  settings: Settings,
  draft: PictureDraft,
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

export interface ReachedPlace {
  readonly host: string
  readonly isHere: boolean
}

/** Returns the destination of prompts and pictures for a URL; null if it is invalid. */
export function toReached(address: string): ReachedPlace | null {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  const isHere =
    url.hostname === 'localhost' ||
    url.hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(url.hostname)
  return { host: url.host, isHere }
}
