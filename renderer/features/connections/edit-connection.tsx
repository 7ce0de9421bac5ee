import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection, ConnectionCheck } from '#contract/connections.ts'
import { lastChatPath, navigate } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { CheckResult } from './connection-check.tsx'
import { toDraft } from './connection-draft.ts'
import { ConnectionForm } from './connection-form.tsx'
import { nameOfConnection } from './connection-name.ts'
import type { ConnectionsStore } from './connections-store.ts'
import { presetOf } from './presets.ts'

interface EditConnectionProps {
  readonly store: ConnectionsStore
  readonly existing: Connection
  /** True if a link opened it, such as that of a failed answer. */
  readonly isLinked: boolean
  readonly onSaved: () => void
  readonly onClose: () => void
}

/** The form of a stored connection. After a repair it leads back to the chat that needed it. */
export function EditConnection({
  store,
  isLinked,
  onSaved,
  onClose,
  ...props
}: EditConnectionProps) {
  const { t } = useTranslation()
  // Saving changes the connection, but not what the form began with.
  const [existing] = useState(props.existing)
  const [repaired, setRepaired] = useState<ConnectionCheck | null>(null)
  const name = nameOfConnection(existing)
  const handleDone = (check: ConnectionCheck | null): void => {
    if (check?.ok === true && (isLinked || existing.state.status === 'failed')) {
      setRepaired(check)
      return
    }
    toast({ text: t('connections.saved', { name }) })
    onClose()
  }
  if (repaired)
    return (
      <Dialog
        onClose={onClose}
        title={t('connections.worksAgain', { name })}
        actions={
          <>
            <Button onClick={onClose}>{t('common.done')}</Button>
            <Button tone="primary" onClick={() => navigate(lastChatPath())}>
              {t('connections.backToChat')}
            </Button>
          </>
        }
      >
        <CheckResult check={repaired} />
      </Dialog>
    )
  return (
    <Dialog onClose={onClose} title={t('connections.editTitle', { name })}>
      <ConnectionForm
        store={store}
        draftKey={existing.id}
        existing={existing}
        start={toDraft(existing)}
        preset={presetOf(existing.url)}
        takesFocus={isLinked}
        onSaved={onSaved}
        onDone={handleDone}
        onCancel={onClose}
      />
    </Dialog>
  )
}
