import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

/** The voice settings by key; null until loaded. */
export interface VoiceSettingsState {
  readonly settings: ReadonlyMap<string, Setting> | null
  readonly problem: string | null
}

export type VoiceSettingsStore = StoreApi<VoiceSettingsState>

export const createVoiceSettingsStore = (): VoiceSettingsStore =>
  createStore<VoiceSettingsState>(() => ({ settings: null, problem: null }))

const byKey = (settings: readonly Setting[]): ReadonlyMap<string, Setting> =>
  new Map(settings.map((setting) => [setting.key, setting]))

export async function loadVoiceSettings(store: VoiceSettingsStore): Promise<void> {
  store.setState({ problem: null })
  try {
    store.setState({ settings: byKey(await call(endpoints.settings.list, {})) })
  } catch (thrown) {
    store.setState({ problem: toSentence(thrown) })
  }
}

export async function saveVoiceSettings(
  store: VoiceSettingsStore,
  values: Readonly<Record<string, SettingValue>>,
): Promise<void> {
  const body = { values: { ...values } }
  store.setState({ settings: byKey(await call(endpoints.settings.update, { body })) })
}
