import { ChartColumn, Download } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { endpoints } from '../../api/client.ts'
import { downloadReply } from '../../api/download-reply.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { EmptyList } from '../../ui/lists/empty-list.tsx'
import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { SelectBox } from '../../ui/controls/select.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import {
  loadAnalytics,
  MOST_PEOPLE,
  RANGES,
  switchAnalytics,
  toSpan,
  type AnalyticsStore,
  type Figures,
  type RangeName,
} from './analytics-store.ts'
import { formatCosts, formatCount } from './format-usage.ts'
import './strings.ts'
import { UsageOverTime } from './usage-over-time.tsx'
import { UsageTable } from './usage-table.tsx'

function Choices({ store }: { store: AnalyticsStore }) {
  const { t } = useTranslation()
  const { range, groupId, groups } = useStore(store)
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <SelectBox
        isNarrow
        aria-label={t('analytics.range')}
        value={range}
        options={RANGES.map((value) => ({ value, label: t(`analytics.ranges.${value}`) }))}
        onChange={(value) => store.setState({ range: value as RangeName })}
      />
      {groups.length > 0 && (
        <SelectBox
          isNarrow
          aria-label={t('analytics.group')}
          value={groupId}
          options={[
            { value: '', label: t('analytics.everybody') },
            ...groups.map(({ id, name }) => ({ value: id, label: name, isExempt: true })),
          ]}
          onChange={(groupId) => store.setState({ groupId })}
        />
      )}
    </div>
  )
}

function Totals({ figures }: { figures: Figures }) {
  const { t } = useTranslation()
  const { summary, tokens, costs } = figures
  const entries = [
    [t('analytics.answers'), formatCount(summary.total_messages)],
    [t('analytics.chats'), formatCount(summary.total_chats)],
    [t('analytics.people'), formatCount(summary.total_users)],
    [t('analytics.models'), formatCount(summary.total_models)],
    [t('analytics.tokens'), formatCount(tokens)],
    [t('analytics.cost'), formatCosts(costs) ?? t('analytics.noCost')],
  ] as const
  return (
    <dl aria-label={t('analytics.totals')} className="mb-6 grid grid-cols-2 gap-3 sm:grid-cols-3">
      {entries.map(([name, value]) => (
        <div key={name} className="rounded-large border border-line bg-raised px-4 py-3">
          <dt className="text-small text-muted">{name}</dt>
          <dd className="text-head-1 font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const EXPORTS = {
  days: 'analytics.exportDays',
  models: 'analytics.exportModels',
  people: 'analytics.exportPeople',
} as const

function ExportButton({ store, table }: { store: AnalyticsStore; table: keyof typeof EXPORTS }) {
  const { t } = useTranslation()
  const exporting = useAction(() =>
    downloadReply(endpoints.analytics.export, { query: { ...toSpan(store.getState()), table } }),
  )
  return (
    <>
      <Button
        icon={<Download className="size-4" />}
        aria-label={t(EXPORTS[table])}
        disabled={exporting.busy}
        onClick={() => void exporting.run()}
      >
        {t('analytics.export')}
      </Button>
      <FormProblem text={exporting.problem} />
    </>
  )
}

function Report({ store, figures }: { store: AnalyticsStore; figures: Figures }) {
  const { t } = useTranslation()
  const { summary, times, models, people } = figures
  if (summary.total_messages === 0)
    return (
      <EmptyList icon={<ChartColumn />} title={t('analytics.none')}>
        {t('analytics.noneHint')}
      </EmptyList>
    )
  return (
    <>
      <Totals figures={figures} />
      <PageSection
        title={t('analytics.overTime')}
        action={<ExportButton store={store} table="days" />}
      >
        <UsageOverTime times={times} />
      </PageSection>
      <PageSection
        title={t('analytics.models')}
        text={t('analytics.costHint')}
        action={<ExportButton store={store} table="models" />}
      >
        <UsageTable
          caption={t('analytics.models')}
          head={t('analytics.model')}
          whole={summary.total_messages}
          rows={models.map((model) => ({
            ...model,
            key: model.model_id,
            name: model.model_id ? <bdi>{model.model_id}</bdi> : t('analytics.noModel'),
            count: model.message_count,
          }))}
        />
      </PageSection>
      <PageSection
        title={t('analytics.people')}
        {...(people.length === MOST_PEOPLE && {
          text: t('analytics.mostPeople', { count: MOST_PEOPLE }),
        })}
        action={<ExportButton store={store} table="people" />}
      >
        <UsageTable
          caption={t('analytics.people')}
          head={t('analytics.person')}
          whole={summary.total_messages}
          rows={people.map((person) => ({
            ...person,
            key: person.user_id,
            name: <bdi>{person.name}</bdi>,
          }))}
        />
      </PageSection>
    </>
  )
}

function Body({ store }: { store: AnalyticsStore }) {
  const { t } = useTranslation()
  const { figures, status, problem, range, groupId } = useStore(store)
  useEffect(() => {
    const abort = new AbortController()
    void loadAnalytics(store, abort.signal)
    return () => abort.abort()
  }, [store, range, groupId])
  return (
    <>
      <Choices store={store} />
      {status === 'failed' && (
        <FailedLine
          title={t('analytics.loadFailed')}
          problem={problem}
          onRetry={() => void loadAnalytics(store, new AbortController().signal)}
        />
      )}
      {status === 'loading' && <PageWait shape="figures" />}
      {status === 'ready' && figures && <Report store={store} figures={figures} />}
    </>
  )
}

interface AnalyticsPageProps {
  readonly store: AnalyticsStore
  readonly isOn: boolean
  /** Called when analytics was enabled or disabled. */
  readonly onChanged: () => void
}

/** Usage by model and user, for administrators. */
export function AnalyticsPage({ store, isOn, onChanged }: AnalyticsPageProps) {
  const { t } = useTranslation()
  const change = useAction(async (wanted: boolean) => {
    await switchAnalytics(wanted)
    onChanged()
  })
  return (
    <PageSection text={t('analytics.text')}>
      {isOn ? (
        <Body store={store} />
      ) : (
        <EmptyList icon={<ChartColumn />} title={t('analytics.off')}>
          {t('analytics.offHint')}
        </EmptyList>
      )}
      <div className="mt-6 rounded-large border border-line bg-raised px-4 py-3">
        <Switch
          label={t('analytics.switch')}
          hint={t('analytics.switchHint')}
          checked={isOn}
          disabled={change.busy}
          onChange={(wanted) => void change.run(wanted)}
        />
        <FormProblem text={change.problem} />
      </div>
    </PageSection>
  )
}
