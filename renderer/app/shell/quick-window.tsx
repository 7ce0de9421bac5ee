import { useEffect } from 'react'
import type { RequestInput } from '#desktop'
import { desktop } from '../../lib/desktop.ts'
import { currentPath, currentRoute, navigate, toPath } from '../../lib/router.ts'
import { toastError } from '../../ui/floating/toast.tsx'

/** True in the quick window of the desktop app, which has a single screen. */
export const isQuickWindow = desktop !== undefined && currentRoute().name === 'quick'

/** Performs an action on the quick window; shows an error in it if refused. */
export async function actInQuickWindow(action: RequestInput<'quickAsk.act'>): Promise<void> {
  try {
    await desktop?.request('quickAsk.act', action)
  } catch (thrown) {
    toastError(thrown)
  }
}

/** Every other route is opened in the main window. */
export function GoOnInMainWindow() {
  useEffect(() => {
    void actInQuickWindow({ act: 'continue', path: currentPath() })
    navigate(toPath({ name: 'quick' }), { replace: true })
  }, [])
  return null
}
