import { History, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type {
  RestoreProgress,
  SnapshotKind,
  SnapshotLine,
  TimeMachineStatus,
} from '#contract/time-machine.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { toPath } from '../../lib/router.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyList } from '../../ui/lists/empty-list.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { DeleteSnapshot } from './delete-snapshot.tsx'
import { LastRestore, RestoreNote } from './restore-all.tsx'
import { SnapshotSection } from './snapshot-section.tsx'
import { useTimeMachine } from './use-time-machine.ts'
import './strings.ts'

const LABELS = ['hourly', 'manual', 'before-update', 'before-restore'] as const

interface SnapshotRowProps {
  readonly snapshot: SnapshotLine
  readonly onOpen: () => void
  /** Called when it was deleted; undefined for users without the permission. */
  readonly onDeleted: (() => void) | undefined
}

function SnapshotRow({ snapshot, onOpen, onDeleted }: SnapshotRowProps) {
  const { t } = useTranslation()
  const { label, bytes, added_bytes: added, fault } = snapshot
  const known = LABELS.find((each) => each === label)
  const moment = formatMoment(snapshot.created_at)
  return (
    <ListRow
      icon={fault === null ? <History /> : <TriangleAlert />}
      name={moment}
      onOpen={fault === null ? onOpen : undefined}
      badges={fault !== null && <Badge tone="danger">{t('timeMachine.damaged')}</Badge>}
      description={fault}
      facts={[
        known ? t(`timeMachine.labels.${known}`) : label,
        bytes !== null && fault === null && t('timeMachine.stands', { size: formatBytes(bytes) }),
        added !== null && fault === null && t('timeMachine.added', { size: formatBytes(added) }),
      ]}
      controls={
        <>
          {fault === null && (
            // On a phone, the row is the button, and its time needs the room.
            <Button
              className="max-sm:hidden"
              aria-label={t('timeMachine.openNamed', { moment })}
              onClick={onOpen}
            >
              {t('timeMachine.open')}
            </Button>
          )}
          {onDeleted && <DeleteSnapshot snapshot={snapshot} onDeleted={onDeleted} />}
        </>
      }
    />
  )
}

function About({ status }: { status: TimeMachineStatus }) {
  const { t } = useTranslation()
  const { budget, stored } = status
  return (
    <>
      {t('timeMachine.text')} {t('timeMachine.own')}{' '}
      {status.on ? t('timeMachine.on', { count: status.interval_minutes }) : t('timeMachine.off')}
      {!status.keeps_files && <> {t('timeMachine.withoutFiles')}</>}
      {budget !== null && stored !== null && (
        <> {t('timeMachine.space', { stored: formatBytes(stored), budget: formatBytes(budget) })}</>
      )}
    </>
  )
}

interface TimeMachinePageProps {
  /** True if the user may create snapshots and restore everything. */
  readonly isAdministrator: boolean
  /** Called when an item of this kind was restored. */
  readonly onBroughtBack: (kind: SnapshotKind) => void
}

/** Earlier states of the gateway, and the user's data in each. */
export function TimeMachinePage({ isAdministrator, onBroughtBack }: TimeMachinePageProps) {
  const { t } = useTranslation()
  const { status, problem: loadProblem, load, begin, isRestoring } = useTimeMachine()
  const [opened, setOpened] = useState<SnapshotLine | null>(null)
  const take = useAction(async () => {
    await call(endpoints.timeMachine.take, {})
    toast({ text: t('timeMachine.taken') })
    await load()
  })
  const handleRestoring = (progress: RestoreProgress): void => {
    setOpened(null)
    begin(progress)
  }
  if (isRestoring && status?.restore) return <RestoreNote progress={status.restore} />
  if (opened)
    return (
      <SnapshotSection
        key={opened.id}
        snapshot={opened}
        onBack={() => setOpened(null)}
        onBroughtBack={onBroughtBack}
        onRestoring={isAdministrator ? handleRestoring : undefined}
      />
    )
  if (!status) return loadProblem ? <FormProblem text={loadProblem} /> : <PageWait />
  return (
    <PageSection
      title={t('timeMachine.snapshots')}
      text={<About status={status} />}
      action={
        isAdministrator && (
          <Button busy={take.busy} onClick={() => void take.run()}>
            {t('timeMachine.takeNow')}
          </Button>
        )
      }
    >
      <FormProblem text={take.problem ?? loadProblem} />
      <LastRestore status={status} />
      {status.snapshots.length === 0 ? (
        <EmptyList icon={<History />} title={t('timeMachine.none')}>
          {status.on && t('timeMachine.noneText')}
        </EmptyList>
      ) : (
        <Rows label={t('timeMachine.snapshots')}>
          {status.snapshots.map((snapshot) => (
            <SnapshotRow
              key={snapshot.id}
              snapshot={snapshot}
              onOpen={() => setOpened(snapshot)}
              onDeleted={isAdministrator ? () => void load() : undefined}
            />
          ))}
        </Rows>
      )}
      <p className="mt-4 text-small text-muted">
        {t('timeMachine.trashFirst')}{' '}
        <a
          href={toPath({ name: 'trash' })}
          onClick={handleLink}
          className="font-medium whitespace-nowrap text-accent"
        >
          {t('chats.trashTitle')}
        </a>
      </p>
    </PageSection>
  )
}
