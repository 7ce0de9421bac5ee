import { useEffect } from 'react'
import type { RequestInput } from '#desktop'
import { toSentence } from '../api/api-error.ts'
import { desktop } from '../lib/desktop.ts'
import { currentPath, currentRoute, navigate, toPath } from '../lib/router.ts'
import { toast } from '../ui/toast.tsx'

/** Whether this is the small window of the desktop app, which has one place only. */
export const isQuickWindow = desktop !== undefined && currentRoute().name === 'quick'

/** Asks something of this small window; a refusal is said in it. */
export async function actInQuickWindow(action: RequestInput<'quickAsk.act'>): Promise<void> {
  try {
    await desktop?.request('quickAsk.act', action)
  } catch (thrown) {
    toast({ tone: 'danger', text: toSentence(thrown) })
  }
}

/** Every other place is shown by the main window. */
export function GoOnInMainWindow() {
  useEffect(() => {
    void actInQuickWindow({ act: 'continue', path: currentPath() })
    navigate(toPath({ name: 'quick' }), { replace: true })
  }, [])
  return null
}
