import { ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { OutgoingStatus } from '#contract/outgoing-connections.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { EmptyList } from '../../ui/lists/empty-list.tsx'
import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { RadioList } from '../../ui/controls/radio.tsx'
import { ConnectionRows, HostRows } from './outgoing-lists.tsx'
import {
  chooseReach,
  clearOutgoing,
  followOutgoing,
  hasMore,
  loadMore,
  loadOutgoing,
  reachOf,
  type OutgoingStore,
  type Reach,
} from './outgoing-store.ts'
import { OutgoingToolbar } from './outgoing-toolbar.tsx'
import './strings.ts'

/** What may leave the computer: one choice, since sealed mode includes offline mode. */
function ReachChoice({
  store,
  summary,
  onSealed,
}: OutgoingPageProps & { summary: OutgoingStatus }) {
  const { t } = useTranslation()
  const change = useAction(async (reach: Reach) => {
    await chooseReach(store, reach)
    onSealed()
  })
  const sealHint = t('outgoing.sealHint')
  return (
    <div className="mb-6 flex flex-col gap-2">
      <RadioList
        legend={t('outgoing.reach')}
        isLegendShown
        options={[
          { value: 'open', label: t('outgoing.open'), hint: t('outgoing.openHint') },
          { value: 'offline', label: t('outgoing.offline'), hint: t('outgoing.offlineHint') },
          {
            value: 'sealed',
            label: t('outgoing.seal'),
            hint: summary.network ? `${sealHint} ${t('outgoing.sealNetwork')}` : sealHint,
          },
        ]}
        value={reachOf(summary)}
        onChange={(reach) => void change.run(reach)}
      />
      <FormProblem text={change.problem} />
    </div>
  )
}

/** The proxy used for calls, if proxies are possible. */
function ProxyLine({ summary: { proxy, sealed } }: { summary: OutgoingStatus }) {
  const { t } = useTranslation()
  if (sealed || proxy.origin === 'none') return null
  const text =
    proxy.origin === 'system'
      ? t('outgoing.proxy.system')
      : proxy.address === null
        ? t('outgoing.proxy.unfit')
        : t(`outgoing.proxy.${proxy.origin}`, { proxy: proxy.address })
  return <p className="mt-0.5 text-small text-pretty text-muted">{text}</p>
}

/** Summary of the last day's outgoing connections, and what it cannot include. */
function LastDay({ summary }: { summary: OutgoingStatus }) {
  const { t } = useTranslation()
  const { last_day: left, refused_last_day: refused, unseen } = summary
  const nothing =
    unseen.length > 0
      ? t('outgoing.nothingSeen')
      : refused > 0
        ? t('outgoing.nothingRefused', { count: refused })
        : t('outgoing.nothing')
  return (
    <div className="mb-4">
      <output className="block font-medium">
        {left === 0 ? nothing : t('outgoing.left', { count: left })}
      </output>
      {unseen.length > 0 && (
        <FoldOut title={t('outgoing.unlisted')}>
          <ul className="list-disc ps-5 text-small text-pretty text-muted">
            {unseen.map((each) => (
              <li key={each}>{t(`outgoing.unseen.${each}`)}</li>
            ))}
          </ul>
        </FoldOut>
      )}
      <ProxyLine summary={summary} />
    </div>
  )
}

function Entries({ store }: { store: OutgoingStore }) {
  const { t } = useTranslation()
  const state = useStore(store)
  const { view, hosts, connections, filter } = state
  const more = useAction(() => loadMore(store))
  const isEmpty = (view === 'hosts' ? hosts : connections).length === 0
  if (isEmpty) {
    const isFiltered = Object.values(filter).some(Boolean)
    return (
      <EmptyList
        icon={<ShieldCheck />}
        title={isFiltered ? t('outgoing.noneFit') : t('outgoing.none')}
      >
        {!isFiltered && t('outgoing.noneHint')}
      </EmptyList>
    )
  }
  if (view === 'hosts') return <HostRows hosts={hosts} />
  return (
    <>
      <ConnectionRows entries={connections} />
      <FormProblem text={more.problem} />
      {hasMore(state) && (
        <Button className="mx-auto mt-4" disabled={more.busy} onClick={() => void more.run()}>
          {t('outgoing.more')}
        </Button>
      )}
    </>
  )
}

interface OutgoingPageProps {
  readonly store: OutgoingStore
  /** Called when the gateway was sealed or unsealed. */
  readonly onSealed: () => void
}

/** Outgoing connections of this computer, and the choice of what may leave. */
export function OutgoingPage({ store, onSealed }: OutgoingPageProps) {
  const { t } = useTranslation()
  const { summary, status, problem, filter, view } = useStore(store)
  const [clearing, setClearing] = useState(false)
  const clear = useAction(() => clearOutgoing(store))
  useEffect(() => followOutgoing(store), [store, filter, view])
  if (!summary && status === 'failed')
    return (
      <FailedLine
        title={t('outgoing.loadFailed')}
        problem={problem}
        onRetry={() => void loadOutgoing(store)}
      />
    )
  if (!summary) return <PageWait />
  return (
    <PageSection text={t('outgoing.text')}>
      <ReachChoice store={store} summary={summary} onSealed={onSealed} />
      <LastDay summary={summary} />
      <OutgoingToolbar store={store} onClear={() => setClearing(true)} />
      <FormProblem text={clear.problem ?? problem} />
      <Entries store={store} />
      <p className="mt-3 text-small text-muted">
        {t('outgoing.kept', { count: summary.days, most: summary.most.toLocaleString() })}
      </p>
      <ConfirmDialog
        open={clearing}
        onClose={() => setClearing(false)}
        title={t('outgoing.clearTitle')}
        description={t('outgoing.clearText')}
        confirmLabel={t('outgoing.clear')}
        danger
        onConfirm={() => {
          setClearing(false)
          void clear.run()
        }}
      />
    </PageSection>
  )
}
