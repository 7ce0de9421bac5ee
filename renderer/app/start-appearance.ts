import { applyAppearance, onSystemTheme } from '../lib/appearance.ts'
import { preferencesStore } from './stores.ts'

/** Shows the kept appearance and follows the system while the theme is left to it. */
export function startAppearance(): () => void {
  const apply = (): void => applyAppearance(preferencesStore.getState().appearance)
  apply()
  return onSystemTheme(apply)
}
