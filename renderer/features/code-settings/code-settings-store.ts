import { createStore, type StoreApi } from 'zustand/vanilla'
import type { CodeConfig, CodePackagesState, CodeState } from '#contract/code.ts'
import type { Setting, SettingValue } from '#contract/settings.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { storedText, type SettingsDraft } from '../../ui/settings/settings-draft.ts'
import { byKey, updateSettings } from '../../ui/settings/settings-store.ts'

/** The code settings by key, the current engine, and the packages; null until loaded. */
export interface CodeSettingsState {
  readonly settings: ReadonlyMap<string, Setting> | null
  readonly state: CodeState | null
  readonly packages: CodePackagesState | null
  readonly problem: string | null
}

export type CodeSettingsStore = StoreApi<CodeSettingsState>

export const createCodeSettingsStore = (): CodeSettingsStore =>
  createStore<CodeSettingsState>(() => ({
    settings: null,
    state: null,
    packages: null,
    problem: null,
  }))

export async function loadCodeSettings(store: CodeSettingsStore): Promise<void> {
  store.setState({ problem: null })
  try {
    const [settings, state, packages] = await Promise.all([
      call(endpoints.settings.list, {}),
      call(endpoints.code.state, { query: {} }),
      call(endpoints.code.packages, {}),
    ])
    store.setState({ settings: byKey(settings), state, packages })
  } catch (thrown) {
    store.setState({ problem: toSentence(thrown) })
  }
}

export async function saveCodeSettings(
  store: CodeSettingsStore,
  values: Readonly<Record<string, SettingValue>>,
): Promise<void> {
  store.setState({ settings: await updateSettings(values) })
  store.setState({ state: await call(endpoints.code.state, { query: {} }) })
}

/** Settings of one purpose of code execution: by users who run a block, or by models. */
export interface Purpose {
  readonly name: 'execution' | 'interpreter'
  readonly isOn: keyof CodeConfig
  readonly engine: keyof CodeConfig
  readonly url: keyof CodeConfig
  readonly auth: keyof CodeConfig
  readonly token: keyof CodeConfig
  readonly password: keyof CodeConfig
  readonly timeout: keyof CodeConfig
}

export const PURPOSES: readonly Purpose[] = Object.freeze([
  {
    name: 'execution',
    isOn: 'ENABLE_CODE_EXECUTION',
    engine: 'CODE_EXECUTION_ENGINE',
    url: 'CODE_EXECUTION_JUPYTER_URL',
    auth: 'CODE_EXECUTION_JUPYTER_AUTH',
    token: 'CODE_EXECUTION_JUPYTER_AUTH_TOKEN',
    password: 'CODE_EXECUTION_JUPYTER_AUTH_PASSWORD',
    timeout: 'CODE_EXECUTION_JUPYTER_TIMEOUT',
  },
  {
    name: 'interpreter',
    isOn: 'ENABLE_CODE_INTERPRETER',
    engine: 'CODE_INTERPRETER_ENGINE',
    url: 'CODE_INTERPRETER_JUPYTER_URL',
    auth: 'CODE_INTERPRETER_JUPYTER_AUTH',
    token: 'CODE_INTERPRETER_JUPYTER_AUTH_TOKEN',
    password: 'CODE_INTERPRETER_JUPYTER_AUTH_PASSWORD',
    timeout: 'CODE_INTERPRETER_JUPYTER_TIMEOUT',
  },
])

/**
 * Returns the values that differ from the stored ones; null while a numeric one is not a number.
 */
export function toChanges(
  settings: ReadonlyMap<string, Setting>,
  draft: SettingsDraft,
): Record<string, SettingValue> | null {
  const changes: Record<string, SettingValue> = {}
  for (const [key, text] of Object.entries(draft)) {
    const setting = settings.get(key)
    if (
      !setting ||
      setting.locked ||
      text === undefined ||
      (!setting.secret && text === storedText(settings, key))
    )
      continue
    if (setting.type !== 'integer') changes[key] = text.trim()
    else if (/^\d{1,6}$/.test(text.trim())) changes[key] = Number(text)
    else return null
  }
  return changes
}
