import { applyAppearance, onSystemTheme } from '../../lib/appearance.ts'
import { preferencesStore } from '../stores.ts'

/** Applies the stored appearance, following the system's theme if none is chosen. */
export function startAppearance(): () => void {
  const apply = (): void => applyAppearance(preferencesStore.getState().appearance)
  apply()
  return onSystemTheme(apply)
}
