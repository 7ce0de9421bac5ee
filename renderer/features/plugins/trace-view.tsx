import { useTranslation } from 'react-i18next'
import type { PluginTrace } from '#contract/plugins.ts'
import { Badge } from '../../ui/badge.tsx'

const readable = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))

function Part({ label, text, isFault = false }: { label: string; text: string; isFault?: boolean }) {
  if (text === '') return null
  return (
    <div>
      <p className="text-small font-medium text-muted">{label}</p>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls has to be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        dir="ltr"
        className={`mt-1 max-h-64 overflow-auto rounded-medium bg-sunken px-3 py-2 font-mono text-code whitespace-pre-wrap wrap-anywhere ${isFault ? 'text-danger' : ''}`}
      >
        {text}
      </pre>
    </div>
  )
}

/** One call of a plugin: what went in, what it did, what came out. */
export function TraceView({ trace }: { trace: PluginTrace }) {
  const { t } = useTranslation()
  const { hook, status, duration, events, logs, result, error } = trace
  return (
    <section aria-label={t('plugins.trace.title')} className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <code className="font-mono text-code">{hook}</code>
        <Badge tone={status === 'failed' ? 'danger' : status === 'done' ? 'accent' : 'neutral'}>
          {t(`plugins.trace.status.${status}`)}
        </Badge>
        {duration !== null && <span className="text-small text-muted">{t('plugins.trace.took', { duration: Math.round(duration) })}</span>}
      </p>
      {error && <Part isFault label={t('plugins.trace.error')} text={`${error.type}: ${error.message}\n${error.traceback ?? ''}`.trim()} />}
      {status === 'done' && <Part label={t('plugins.trace.result')} text={readable(result)} />}
      <Part label={t('plugins.trace.events')} text={events.map(readable).join('\n')} />
      <Part label={t('plugins.trace.logs')} text={logs.map(({ line }) => line).join('\n')} />
    </section>
  )
}
