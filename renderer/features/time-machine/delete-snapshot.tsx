import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SnapshotLine } from '#contract/time-machine.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { toast } from '../../ui/floating/toast.tsx'

interface DeleteSnapshotProps {
  readonly snapshot: SnapshotLine
  readonly onDeleted: () => void
}

/** Lets administrators delete a snapshot, once they have confirmed it. */
export function DeleteSnapshot({ snapshot, onDeleted }: DeleteSnapshotProps) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const moment = formatMoment(snapshot.created_at)
  const { busy, problem, run } = useAction(async () => {
    setAsking(false)
    await call(endpoints.timeMachine.remove, { params: { snapshot_id: snapshot.id } })
    toast({ text: t('timeMachine.deleted') })
    onDeleted()
  })
  return (
    <>
      <FormProblem text={problem} />
      <Button
        tone="quiet"
        busy={busy}
        aria-label={t('timeMachine.deleteNamed', { moment })}
        onClick={() => setAsking(true)}
      >
        {t('timeMachine.delete')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('timeMachine.deleteAsk', { moment })}
        description={t('timeMachine.deleteWarning')}
        confirmLabel={t('timeMachine.delete')}
        danger
        onConfirm={() => void run()}
      />
    </>
  )
}
