import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/controls/button.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'

interface RefusedNoteProps {
  readonly name: string
  /** Opens the form of the server at its key. */
  readonly onEnterKey: () => void
  /** Error of the request. */
  readonly children: ReactNode
}

/** Says that a server needs a key or a sign-in, with the way to enter it. */
export function RefusedNote({ name, onEnterKey, children }: RefusedNoteProps) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col items-start gap-1.5">
      <p className="text-small text-pretty wrap-anywhere text-danger">
        {t('toolServers.refused', { name })}
      </p>
      <Button onClick={onEnterKey}>{t('toolServers.enterKey')}</Button>
      <FoldOut title={t('common.details')}>
        <p className="text-small text-pretty wrap-anywhere text-muted">{children}</p>
      </FoldOut>
    </div>
  )
}
