import { textOf, type SettingsDraft } from '../../ui/settings/settings-draft.ts'
import type { Setting } from '#contract/settings.ts'
import { type EngineKind, kindsOf, type Purpose } from './engine-keys.ts'

/** Returns the selected engine; null for an unknown value. */
export function engineOf(
  settings: ReadonlyMap<string, Setting>,
  draft: SettingsDraft,
  purpose: Purpose,
): EngineKind | null {
  const engine = textOf(settings, draft, purpose.engine)
  return kindsOf(purpose).find((kind) => kind === engine) ?? null
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
