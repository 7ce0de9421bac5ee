import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RestoreProgress, SnapshotLine, TimeMachineStatus } from '#contract/time-machine.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { ProgressBar } from '../../ui/marks/progress-bar.tsx'

interface RestoreAllProps {
  readonly snapshot: SnapshotLine
  readonly onBegun: (progress: RestoreProgress) => void
}

/** Lets administrators restore the whole gateway to a snapshot. */
export function RestoreAll({ snapshot, onBegun }: RestoreAllProps) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const { busy, problem, run } = useAction(async () => {
    setAsking(false)
    const params = { snapshot_id: snapshot.id }
    onBegun(await call(endpoints.timeMachine.bringEverythingBack, { params }))
  })
  return (
    <PageSection title={t('timeMachine.all.title')} text={t('timeMachine.all.text')}>
      <FormProblem text={problem} />
      <Button tone="danger" busy={busy} onClick={() => setAsking(true)}>
        {t('timeMachine.all.button')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('timeMachine.all.ask', { moment: formatMoment(snapshot.created_at) })}
        description={t('timeMachine.all.warning')}
        confirmLabel={t('timeMachine.all.button')}
        danger
        onConfirm={() => void run()}
      />
    </PageSection>
  )
}

/** Progress of a full restore, shown instead of the rest of the page. */
export function RestoreNote({ progress }: { progress: RestoreProgress }) {
  const { t } = useTranslation()
  const { step } = progress
  return (
    <PageSection title={t('timeMachine.all.title')}>
      <output className="mb-3 block text-ui">{t(`timeMachine.all.steps.${step}`)}</output>
      {step !== 'waiting' && <ProgressBar label={t('timeMachine.all.title')} value={null} />}
    </PageSection>
  )
}

/** Result of the last full restore. */
export function LastRestore({ status }: { status: TimeMachineStatus }) {
  const { t } = useTranslation()
  const { restore, last_restore: last } = status
  if (restore?.problem) return <FormProblem text={restore.problem} />
  if (!last) return null
  if (last.problem !== null) return <FormProblem text={last.problem} />
  return (
    <p className="mb-4 text-ui text-muted">
      {t('timeMachine.all.done', { moment: formatMoment(last.at) })}
      {last.missing_files > 0 && (
        <> {t('timeMachine.all.missing', { count: last.missing_files })}</>
      )}
    </p>
  )
}
