import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ShellChange, ShellSettings } from '#desktop'
import { toSentence } from '../../api/api-error.ts'
import { desktop } from '../../lib/desktop.ts'

interface ShellSettingsState {
  /** Null until the desktop app has answered. */
  readonly settings: ShellSettings | null
  readonly problem: string | null
}

/** Settings reported by the desktop app. */
export const shellSettingsStore: StoreApi<ShellSettingsState> = createStore(() => ({
  settings: null,
  problem: null,
}))

/** Changes the given settings; without a change, loads the current ones. */
export async function changeShell(change: ShellChange = {}): Promise<void> {
  if (!desktop) return
  try {
    const settings = await desktop.request('shell.settings', { change })
    shellSettingsStore.setState({ settings, problem: null })
  } catch (thrown) {
    shellSettingsStore.setState({ problem: toSentence(thrown) })
  }
}
