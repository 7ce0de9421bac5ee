import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PluginTrace } from '#contract/plugins.ts'
import { toSentence } from '../../api/api-error.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { listCalls, type PluginStoreKind } from './plugin-kinds.ts'
import { StatusBadge, TraceView } from '../../ui/trace/trace-view.tsx'
import { FoldChevron } from '../../ui/layout/fold-chevron.tsx'

interface CallsSectionProps {
  readonly store: PluginStoreKind
  readonly pluginId: string
  /** Scrolls to a line of the source. */
  readonly onLine: (line: number) => void
}

/** Loads the calls initially and on request. */
function useCalls(store: PluginStoreKind, pluginId: string) {
  const [calls, setCalls] = useState<readonly PluginTrace[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isWanted = true
    listCalls(store, pluginId).then(
      (found) => {
        if (!isWanted) return
        setCalls(found)
        setProblem(null)
      },
      (thrown: unknown) => isWanted && setProblem(toSentence(thrown)),
    )
    return () => {
      isWanted = false
    }
  }, [store, pluginId, attempt])
  return { calls, problem, refresh: () => setAttempt((count) => count + 1) }
}

function CallRow({ call, onLine }: { call: PluginTrace; onLine: (line: number) => void }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { hook, status, duration, started_at, error } = call
  return (
    <li>
      <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex list-none items-center gap-2.5 px-3 py-2 hover:bg-hover pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
          <FoldChevron className="size-4 text-muted" />
          <code className="shrink-0 font-mono text-code">{hook}</code>
          <StatusBadge status={status} />
          <span className="min-w-0 flex-1 truncate text-small text-muted">
            {error ? error.message : ''}
          </span>
          <span className="shrink-0 text-small text-muted tabular-nums max-sm:hidden">
            {[
              formatMoment(started_at / 1000),
              duration !== null && t('plugins.trace.took', { duration: Math.round(duration) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </summary>
        {isOpen && (
          <div className="px-3 pt-1 pb-4 sm:ps-9.5">
            <TraceView trace={call} hasInput onLine={onLine} />
          </div>
        )}
      </details>
    </li>
  )
}

/** The last calls of a plugin in chats and in the console, for debugging. */
export function CallsSection({ store, pluginId, onLine }: CallsSectionProps) {
  const { t } = useTranslation()
  const { calls, problem, refresh } = useCalls(store, pluginId)
  return (
    <section aria-labelledby="plugin-calls" className="flex flex-col gap-4">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 id="plugin-calls" className="text-head-1 font-semibold">
            {t('plugins.calls.title')}
          </h2>
          <p className="mt-0.5 text-pretty text-muted">{t('plugins.calls.text')}</p>
        </div>
        <IconButton label={t('plugins.calls.refresh')} icon={<RefreshCw />} onClick={refresh} />
      </div>
      {!calls && !problem && <PageWait shape="lines" />}
      {problem && (
        <p role="alert" className="flex flex-wrap items-center gap-3 text-danger">
          {problem}
          <Button onClick={refresh}>{t('common.retry')}</Button>
        </p>
      )}
      {calls?.length === 0 && (
        <p className="rounded-large border border-line px-4 py-6 text-center text-small text-muted">
          {t('plugins.calls.none')}
        </p>
      )}
      {calls && calls.length > 0 && (
        <ul
          aria-labelledby="plugin-calls"
          className="divide-y divide-line overflow-hidden rounded-large border border-line bg-raised"
        >
          {calls.map((call) => (
            <CallRow key={call.id} call={call} onLine={onLine} />
          ))}
        </ul>
      )}
    </section>
  )
}
