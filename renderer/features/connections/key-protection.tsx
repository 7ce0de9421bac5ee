import { useEffect, useState } from 'react'
import { desktop } from '../../lib/desktop.ts'

/** Says where a key is entered that the desktop app protects stored keys less than usual. */
export function KeyProtection() {
  const [warning, setWarning] = useState<string | null>(null)
  useEffect(() => {
    desktop?.request('app.info', {}).then(
      ({ secrets }) => setWarning(secrets.warning),
      // The page about the app shows why its state cannot be read.
      () => undefined,
    )
  }, [])
  return warning && <span className="mt-1 block text-warning">{warning}</span>
}
