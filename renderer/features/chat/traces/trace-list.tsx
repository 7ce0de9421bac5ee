import { CircleAlert, Filter, Server, Workflow, Wrench } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PluginTrace } from '#contract/plugins.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Spinner } from '../../../ui/marks/spinner.tsx'
import { StatusBadge, TraceView } from '../../../ui/trace/trace-view.tsx'
import { useTraces } from './use-traces.ts'
import { FoldChevron } from '../../../ui/layout/fold-chevron.tsx'

const FILTERS = new Set(['inlet', 'outlet', 'stream'])

const ICONS = {
  failed: CircleAlert,
  server: Server,
  tool: Wrench,
  filter: Filter,
  function: Workflow,
} as const

function kindOf({ store, hook, status }: PluginTrace): keyof typeof ICONS {
  if (status === 'failed') return 'failed'
  return store === 'function' && FILTERS.has(hook) ? 'filter' : store
}

function TraceRow({ trace }: { trace: PluginTrace }) {
  const { t } = useTranslation()
  const Icon = ICONS[kindOf(trace)]
  const { hook, plugin_id: pluginId, status, duration, is_restricted: isRestricted } = trace
  return (
    <li>
      <details className="group/trace rounded-large border border-line">
        <summary className="flex min-h-11 list-none items-center gap-2.5 rounded-large px-3 py-2 hover:bg-hover [&::-webkit-details-marker]:hidden">
          <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
          <span className="min-w-0 flex-1">
            <bdi className="block truncate font-medium">{hook}</bdi>
            <bdi className="block truncate text-small text-muted">{pluginId}</bdi>
          </span>
          {duration !== null && (
            <span className="shrink-0 text-small text-muted tabular-nums">
              {t('plugins.trace.took', { duration: Math.round(duration) })}
            </span>
          )}
          {status !== 'done' && <StatusBadge status={status} />}
          <FoldChevron />
        </summary>
        <div className="flex flex-col gap-3 border-t border-line px-3 py-3">
          <TraceView trace={trace} hasInput />
          {isRestricted && <p className="text-small text-muted">{t('chat.trace.restricted')}</p>}
        </div>
      </details>
    </li>
  )
}

/** All calls of tools, filters, pipes and actions for one message, in the order they started. */
export function TraceList({ messageId }: { messageId: string }) {
  const { t } = useTranslation()
  const { traces, reload } = useTraces(messageId)
  return (
    <div className="flex flex-col gap-3 text-ui">
      <p className="text-muted">{t('chat.trace.lead')}</p>
      {traces.state === 'loading' && (
        <p className="flex items-center gap-2 text-muted">
          <Spinner className="size-4" />
          {t('chat.trace.loading')}
        </p>
      )}
      {traces.state === 'failed' && (
        <div role="alert" className="flex flex-col items-start gap-2">
          <p className="text-danger">{traces.reason}</p>
          <Button onClick={reload}>{t('chat.list.retry')}</Button>
        </div>
      )}
      {traces.state === 'ready' && traces.traces.length === 0 && <p>{t('chat.trace.none')}</p>}
      {traces.state === 'ready' && traces.traces.length > 0 && (
        <ol aria-label={t('chat.trace.list')} className="flex flex-col gap-2">
          {traces.traces.map((trace) => (
            <TraceRow key={trace.id} trace={trace} />
          ))}
        </ol>
      )}
    </div>
  )
}
