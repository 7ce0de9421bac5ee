import { selectLanguage } from '../features/settings/preferences-store.ts'
import { setLanguage } from '../lib/i18n.ts'
import { preferencesStore } from './stores.ts'

/**
 * Fetches the language of this browser before anything is drawn, so that no English flashes by.
 * Should that fail, the interface opens in English all the same.
 */
export async function showFirstLanguage(): Promise<void> {
  await setLanguage(selectLanguage(preferencesStore.getState())).catch(() => undefined)
}
