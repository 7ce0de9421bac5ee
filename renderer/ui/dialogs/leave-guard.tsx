import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { guardLeaving } from '../../lib/router.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useTypedText } from '../fields/use-typed-text.ts'

interface LeaveGuardProps {
  /** Disables the question if the typed text is stored anyway. */
  readonly isKept?: boolean
  readonly children: ReactNode
}

/** Asks before the user leaves a page with unsaved text. */
export function LeaveGuard({ isKept = false, children }: LeaveGuardProps) {
  const { t } = useTranslation()
  const { handlers, isUnsaved } = useTypedText()
  const [leave, setLeave] = useState<(() => void) | null>(null)
  useEffect(() => {
    if (isKept) return
    return guardLeaving((go) => {
      if (!isUnsaved()) return false
      setLeave(() => go)
      return true
    })
    // oxlint-disable-next-line react/exhaustive-deps -- `isUnsaved` reads the same object in every render
  }, [isKept])
  return (
    <div className="contents" {...handlers}>
      {children}
      <ConfirmDialog
        open={leave !== null}
        danger
        onClose={() => setLeave(null)}
        title={t('lists.leaveTitle')}
        description={t('lists.leaveText')}
        confirmLabel={t('lists.leave')}
        onConfirm={() => {
          setLeave(null)
          leave?.()
        }}
      />
    </div>
  )
}
