import { selectLanguage } from '../../features/settings/preferences-store.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { preferencesStore } from '../stores.ts'

/**
 * Loads this browser's language before the first render, so that no English text flashes. If
 * loading fails, the UI opens in English.
 */
export async function showFirstLanguage(): Promise<void> {
  await setLanguage(selectLanguage(preferencesStore.getState())).catch(() => undefined)
}
