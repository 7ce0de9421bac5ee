import '../strings.ts'
import { ArrowLeft, History, TriangleAlert } from 'lucide-react'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { SnapshotContents, SnapshotLine } from '#contract/time-machine.ts'
import { call, endpoints } from '../../../api/client.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatMoment } from '../../../lib/format-time.ts'
import { handleLink } from '../../../lib/handle-link.ts'
import { chatPath, toPath, useRoute } from '../../../lib/router.ts'
import { presentPath } from '../../../lib/viewed-snapshot.ts'
import { basePath } from '../../../lib/base-path.ts'
import { Badge } from '../../../ui/marks/badge.tsx'
import { ButtonLink } from '../../../ui/controls/button.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Spinner } from '../../../ui/marks/spinner.tsx'
import { usePageTitle } from '../../../ui/layout/use-page-title.ts'
import { BringButton } from './bring-button.tsx'
import { PastList } from './past-list.tsx'
import { itemOf, type PastPlace, placeOf } from './past-places.ts'
import { PastThing } from './past-thing.tsx'
import { useRead } from './use-read.ts'

interface Opened {
  readonly snapshot: SnapshotLine | null
  readonly contents: SnapshotContents
}

async function openSnapshot(id: string, signal: AbortSignal): Promise<Opened> {
  const params = { snapshot_id: id }
  const [{ snapshots }, contents] = await Promise.all([
    call(endpoints.timeMachine.list, {}, { signal }),
    call(endpoints.timeMachine.contents, { params }, { signal }),
  ])
  return { snapshot: snapshots.find((each) => each.id === id) ?? null, contents }
}

function Banner({ snapshot }: { snapshot: SnapshotLine | null }) {
  const { t } = useTranslation()
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-accent-soft px-4 py-2">
      <History className="size-4 shrink-0 text-accent-strong dark:text-accent" />
      <p className="min-w-0 flex-1 basis-60 text-ui text-pretty">
        {t('timeMachine.view.banner', {
          moment: snapshot === null ? '…' : formatMoment(snapshot.created_at),
        })}
      </p>
      <ButtonLink href={presentPath('/settings/time-machine')}>
        {t('timeMachine.view.leave')}
      </ButtonLink>
    </header>
  )
}

function Elsewhere() {
  const { t } = useTranslation()
  const route = useRoute()
  const here = toPath(route).slice(basePath.length)
  return (
    <EmptyState
      icon={<History />}
      title={t('timeMachine.view.notPart')}
      action={<ButtonLink href={presentPath(here)}>{t('timeMachine.view.openPresent')}</ButtonLink>}
    >
      {t('timeMachine.view.notPartText')}
    </EmptyState>
  )
}

function Thing({
  snapshotId,
  contents,
  place,
}: {
  snapshotId: string
  contents: SnapshotContents
  place: PastPlace
}) {
  const { t } = useTranslation()
  const item = itemOf(contents, place)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <ButtonLink
          tone="quiet"
          className="md:hidden"
          href={chatPath(null)}
          onClick={handleLink}
          icon={<ArrowLeft className="size-4 rtl:-scale-x-100" />}
        >
          {t('timeMachine.view.all')}
        </ButtonLink>
        {item && (
          <>
            <Badge tone={item.state === 'gone' ? 'accent' : 'neutral'}>
              {t(`timeMachine.state.${item.state}`)}
            </Badge>
            <BringButton
              snapshotId={snapshotId}
              kind={place.kind}
              id={place.id}
              name={item.title || t('chats.untitled')}
            />
          </>
        )}
      </div>
      <PastThing place={place} />
    </>
  )
}

function Reader({ snapshotId, opened }: { snapshotId: string; opened: Opened }) {
  const { t } = useTranslation()
  const place = placeOf(useRoute())
  const thing = typeof place === 'string' ? null : place
  const title = thing && itemOf(opened.contents, thing)?.title
  usePageTitle(title ?? t('timeMachine.snapshots'))
  return (
    <div className="flex min-h-0 flex-1">
      <aside
        className={classNames(
          'flex min-h-0 flex-col border-e border-line bg-sidebar md:w-sidebar md:shrink-0',
          place === 'overview' ? 'max-md:flex-1' : 'max-md:hidden',
        )}
      >
        <PastList snapshotId={snapshotId} contents={opened.contents} place={thing} />
      </aside>
      <main
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
        tabIndex={0}
        className={classNames(
          'min-w-0 flex-1 overflow-y-auto px-4 py-6 outline-offset-[-2px] sm:px-8',
          place === 'overview' && 'max-md:hidden',
        )}
      >
        <div className="mx-auto max-w-column">
          {thing === null && <h1 className="sr-only">{t('timeMachine.snapshots')}</h1>}
          {place === 'overview' && (
            <EmptyState icon={<History />} title={t('timeMachine.view.choose')}>
              {t('timeMachine.view.chooseText')}
            </EmptyState>
          )}
          {place === 'elsewhere' && <Elsewhere />}
          {thing && (
            <Thing
              key={`${thing.kind} ${thing.id}`}
              snapshotId={snapshotId}
              contents={opened.contents}
              place={thing}
            />
          )}
        </div>
      </main>
    </div>
  )
}

/** The UI for viewing a snapshot, which is read-only. */
export function SnapshotScreen({ snapshotId }: { snapshotId: string }) {
  const { t } = useTranslation()
  const read = useCallback((signal: AbortSignal) => openSnapshot(snapshotId, signal), [snapshotId])
  const found = useRead(read)
  return (
    <div className="flex h-full flex-col">
      <Banner snapshot={found.state === 'ready' ? found.value.snapshot : null} />
      {found.state === 'ready' && <Reader snapshotId={snapshotId} opened={found.value} />}
      {found.state === 'loading' && (
        <output className="flex flex-1 items-center justify-center gap-3 text-muted">
          <Spinner /> {t('timeMachine.opening')}
        </output>
      )}
      {found.state === 'failed' && (
        <main role="alert" className="grid flex-1 place-items-center">
          <EmptyState
            icon={<TriangleAlert />}
            title={t(found.isMissing ? 'timeMachine.view.gone' : 'timeMachine.view.failed')}
          >
            {found.isMissing ? t('timeMachine.view.goneText') : found.problem}
          </EmptyState>
        </main>
      )}
    </div>
  )
}
