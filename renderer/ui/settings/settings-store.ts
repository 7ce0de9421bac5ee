import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

/** The settings of the gateway by key; null until loaded. */
export interface SettingsState {
  readonly settings: ReadonlyMap<string, Setting> | null
  readonly problem: string | null
}

export type SettingsStore = StoreApi<SettingsState>

export type SaveSettings = (values: Readonly<Record<string, SettingValue>>) => Promise<void>

export const createSettingsStore = (): SettingsStore =>
  createStore<SettingsState>(() => ({ settings: null, problem: null }))

export const byKey = (settings: readonly Setting[]): ReadonlyMap<string, Setting> =>
  new Map(settings.map((setting) => [setting.key, setting]))

export async function loadSettings(store: SettingsStore): Promise<void> {
  store.setState({ problem: null })
  try {
    store.setState({ settings: byKey(await call(endpoints.settings.list, {})) })
  } catch (thrown) {
    store.setState({ problem: toSentence(thrown) })
  }
}

/** Stores values in the gateway; resolves with all settings by key. */
export const updateSettings = async (
  values: Readonly<Record<string, SettingValue>>,
): Promise<ReadonlyMap<string, Setting>> =>
  byKey(await call(endpoints.settings.update, { body: { values: { ...values } } }))

export async function saveSettings(
  store: SettingsStore,
  values: Readonly<Record<string, SettingValue>>,
): Promise<void> {
  store.setState({ settings: await updateSettings(values) })
}
