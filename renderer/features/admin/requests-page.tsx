import '../../lib/strings/admin.ts'
import { Activity, Pause, Play, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { RequestFilter, RequestRecord } from '#contract/requests.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { EmptyList } from '../../ui/lists/empty-list.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { SelectBox } from '../../ui/controls/select.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
import { CallChart } from './call-chart.tsx'
import { LoadState } from './load-state.tsx'
import { type ReplayModel, RequestDialog } from './request-detail.tsx'
import { type CostOf, RequestTable } from './request-table.tsx'
import { clearLog, followLog, type RequestsStore, switchLog } from './requests-store.ts'

const METHODS = ['GET', 'POST', 'DELETE'] as const
const STATUSES = ['2xx', '3xx', '4xx', '5xx'] as const
const WAIT = 250
/** Icon only where the row is narrow. */
const IN_ROW = 'h-primary max-sm:min-w-11 max-sm:px-0'

interface ChoiceProps {
  readonly label: string
  readonly all: string
  readonly values: readonly string[]
  readonly value: string
  readonly onChange: (value: string) => void
}

function Choice({ label, all, values, value, onChange }: ChoiceProps) {
  return (
    <SelectBox
      isNarrow
      aria-label={label}
      value={value}
      options={[
        { value: '', label: all },
        ...values.map((each) => ({ value: each, label: each, isExempt: true })),
      ]}
      onChange={onChange}
    />
  )
}

/** Filters of the log. Text is applied shortly after the last keystroke. */
function Filters({ store }: { store: RequestsStore }) {
  const { t } = useTranslation()
  const filter = useStore(store, (state) => state.filter)
  const [text, setText] = useState(filter.text ?? '')
  const change = (part: RequestFilter): void =>
    store.setState({ filter: { ...store.getState().filter, ...part } })
  useEffect(() => {
    const wanted = text.trim() || undefined
    if (wanted === store.getState().filter.text) return
    const timer = setTimeout(
      () => store.setState(({ filter: before }) => ({ filter: { ...before, text: wanted } })),
      WAIT,
    )
    return () => clearTimeout(timer)
  }, [store, text])
  return (
    <>
      <div className="min-w-0 flex-1 max-sm:basis-full sm:basis-56">
        <SearchBox label={t('admin.requests.search')} value={text} onChange={setText} />
      </div>
      <Choice
        label={t('admin.requests.method')}
        all={t('admin.requests.allMethods')}
        values={METHODS}
        value={filter.method ?? ''}
        onChange={(method) => change({ method: (method || undefined) as RequestFilter['method'] })}
      />
      <Choice
        label={t('admin.requests.status')}
        all={t('admin.requests.allStatuses')}
        values={STATUSES}
        value={filter.status ?? ''}
        onChange={(status) => change({ status: status || undefined })}
      />
    </>
  )
}

function LiveState({ store }: { store: RequestsStore }) {
  const { t } = useTranslation()
  const { isLive, isPaused, problem } = useStore(store)
  const text = isPaused
    ? t('admin.requests.paused')
    : isLive
      ? t('admin.requests.live')
      : (problem ?? t('common.loading'))
  return (
    <p className="flex items-center gap-2 text-small text-muted">
      <span
        aria-hidden="true"
        className={`size-1.5 shrink-0 rounded-full ${isLive ? 'bg-accent' : 'bg-edge'}`}
      />
      {text}
    </p>
  )
}

function Toolbar({ store, onClear }: { store: RequestsStore; onClear: () => void }) {
  const { t } = useTranslation()
  const isPaused = useStore(store, (state) => state.isPaused)
  return (
    <div className="mb-3 flex flex-wrap items-center gap-1.5 sm:gap-2">
      <Filters store={store} />
      <Button
        icon={isPaused ? <Play className="size-4" /> : <Pause className="size-4" />}
        className={IN_ROW}
        onClick={() => store.setState({ isPaused: !isPaused })}
      >
        <span className="max-sm:sr-only">
          {isPaused ? t('admin.requests.resume') : t('admin.requests.pause')}
        </span>
      </Button>
      <Button icon={<Trash2 className="size-4" />} className={IN_ROW} onClick={onClear}>
        <span className="max-sm:sr-only">{t('admin.requests.clear')}</span>
      </Button>
    </div>
  )
}

function Log({ store, models, costOf }: RequestsPageProps) {
  const { t } = useTranslation()
  const { records, status, problem, filter, bodies, size } = useStore(store)
  const [opened, setOpened] = useState<RequestRecord | null>(null)
  const [clearing, setClearing] = useState(false)
  const { windows, ...others } = filter
  const isFiltered = Object.values(others).some(Boolean)
  return (
    <>
      <Toolbar store={store} onClear={() => setClearing(true)} />
      <div className="mb-3">
        <Switch
          label={t('admin.requests.showWindows')}
          hint={t('admin.requests.showWindowsHint')}
          checked={!windows}
          onChange={(on) =>
            store.setState({ filter: { ...others, ...(!on && { windows: 'hidden' }) } })
          }
        />
      </div>
      <div className="mb-2 flex min-h-6 flex-wrap items-center justify-between gap-2">
        <LiveState store={store} />
        {size > 0 && (
          <p className="text-small text-muted">{t('admin.requests.kept', { count: size })}</p>
        )}
      </div>
      <LoadState
        status={status}
        problem={problem}
        title={t('admin.requests.loadFailed')}
        list="calls"
        onRetry={() => store.setState({ filter: { ...filter } })}
      />
      {status === 'ready' && records.length === 0 && (
        <EmptyList
          icon={<Activity />}
          title={isFiltered ? t('admin.requests.noneFit') : t('admin.requests.none')}
        >
          {!isFiltered && t(windows ? 'admin.requests.noneOfPrograms' : 'admin.requests.noneHint')}
        </EmptyList>
      )}
      {records.length > 0 && (
        <>
          <CallChart records={records} />
          <RequestTable records={records} costOf={costOf} onOpen={setOpened} />
        </>
      )}
      <div className="mt-6 rounded-large border border-line px-4 py-3">
        <Switch
          label={t('admin.requests.bodies')}
          hint={t('admin.requests.bodiesHint')}
          checked={bodies}
          onChange={(on) => {
            switchLog(store, { bodies: on }).catch(toastError)
          }}
        />
      </div>
      {opened && (
        <RequestDialog
          id={opened.id}
          title={`${opened.method} ${opened.path}`}
          models={models}
          onKeepBodies={
            bodies
              ? null
              : () => {
                  switchLog(store, { bodies: true }).catch(toastError)
                }
          }
          onClose={() => setOpened(null)}
        />
      )}
      <ConfirmDialog
        open={clearing}
        onClose={() => setClearing(false)}
        title={t('admin.requests.clearTitle')}
        description={t('admin.requests.clearText')}
        confirmLabel={t('admin.requests.clear')}
        danger
        onConfirm={() => {
          setClearing(false)
          clearLog(store).catch(toastError)
        }}
      />
    </>
  )
}

interface RequestsPageProps {
  readonly store: RequestsStore
  readonly models: readonly ReplayModel[]
  /** Returns the cost of a call as text; null if unknown. */
  readonly costOf: CostOf
}

/** The latest API calls, updated live. */
export function RequestsPage({ store, models, costOf }: RequestsPageProps) {
  const { t } = useTranslation()
  const enabled = useStore(store, (state) => state.enabled)
  const filter = useStore(store, (state) => state.filter)
  const isPaused = useStore(store, (state) => state.isPaused)
  useEffect(() => {
    const abort = new AbortController()
    void followLog(store, abort.signal)
    return () => abort.abort()
  }, [store, filter, isPaused, enabled])
  return (
    <PageSection text={t('admin.requests.text')}>
      {enabled ? (
        <Log store={store} models={models} costOf={costOf} />
      ) : (
        <EmptyList
          icon={<Activity />}
          title={t('admin.requests.off')}
          action={
            <Button
              tone="primary"
              onClick={() => {
                switchLog(store, { enabled: true }).catch(toastError)
              }}
            >
              {t('admin.requests.switchOn')}
            </Button>
          }
        >
          {t('admin.requests.offHint')}
        </EmptyList>
      )}
    </PageSection>
  )
}
