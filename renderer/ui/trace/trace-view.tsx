import { CornerDownLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PluginTrace } from '#contract/plugins.ts'
import { classNames } from '../../lib/class-names.ts'
import { Badge, type BadgeTone } from '../marks/badge.tsx'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { FoldOut } from '../layout/fold-out.tsx'

const readable = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')

/** Returns an event as one line, so that several can be compared. */
const toLine = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** Returns the result of a tool: its text, unless there are files or embeds too. */
function readResult(result: unknown): string {
  const { text, files, embeds } = (
    typeof result === 'object' && result !== null ? result : {}
  ) as Record<string, unknown>
  const isText =
    typeof text === 'string' &&
    [files, embeds].every((list) => Array.isArray(list) && list.length === 0)
  return isText ? text : readable(result)
}

const isGiven = (input: unknown): boolean =>
  input !== null && input !== undefined && readable(input) !== '{}'

const TONES: Readonly<Record<PluginTrace['status'], BadgeTone>> = {
  running: 'neutral',
  done: 'accent',
  failed: 'danger',
  cancelled: 'warning',
}

/** Label for the result status of a call. */
export function StatusBadge({ status }: { status: PluginTrace['status'] }) {
  const { t } = useTranslation()
  return <Badge tone={TONES[status]}>{t(`plugins.trace.status.${status}`)}</Badge>
}

/** One part of a call, with a copy button; renders nothing if it is empty. */
export function TracePart({
  label,
  text,
  isFault = false,
}: {
  label: string
  text: string
  isFault?: boolean
}) {
  const { t } = useTranslation()
  if (text === '') return null
  return (
    <div className="min-w-0">
      <div className="flex min-h-6 items-center justify-between gap-2">
        <p className="text-small font-medium text-muted">{label}</p>
        <CopyButton isSmall text={text} label={t('plugins.trace.copy', { name: label })} />
      </div>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        dir="ltr"
        className={classNames(
          'mt-1 max-h-64 overflow-auto rounded-medium bg-sunken px-3 py-2 font-mono text-code whitespace-pre-wrap wrap-anywhere',
          isFault && 'text-danger',
        )}
      >
        {text}
      </pre>
    </div>
  )
}

interface TraceViewProps {
  readonly trace: PluginTrace
  /** Scrolls to a line of the source. */
  readonly onLine?: (line: number) => void
  /** True if the input is shown too. */
  readonly hasInput?: boolean
}

/** The exception, with its collapsed traceback. */
function TraceFault({ error }: { error: NonNullable<PluginTrace['error']> }) {
  const { t } = useTranslation()
  const { type, message, traceback } = error
  return (
    <>
      <TracePart
        isFault
        label={t('plugins.trace.error')}
        text={message === '' ? type : `${type}: ${message}`}
      />
      {traceback !== null && traceback !== '' && (
        <FoldOut title={t('plugins.trace.traceback')}>
          <TracePart label={t('plugins.trace.traceback')} text={traceback} />
        </FoldOut>
      )}
    </>
  )
}

/** Error, events sent to the windows, and printed output. */
export function TraceWork({ trace: { events, logs, error } }: { trace: PluginTrace }) {
  const { t } = useTranslation()
  return (
    <>
      {error && <TraceFault error={error} />}
      <TracePart label={t('plugins.trace.events')} text={events.map(toLine).join('\n')} />
      <TracePart label={t('plugins.trace.logs')} text={logs.map(({ line }) => line).join('\n')} />
    </>
  )
}

/** One call of a plugin: input, activity, output. */
export function TraceView({ trace, onLine, hasInput = false }: TraceViewProps) {
  const { t } = useTranslation()
  const { hook, status, duration, input, events, logs, result, error } = trace
  return (
    <section aria-label={t('plugins.trace.title')} className="flex min-w-0 flex-col gap-3">
      {!hasInput && (
        <p className="flex flex-wrap items-center gap-2">
          <code className="font-mono text-code">{hook}</code>
          <StatusBadge status={status} />
          {duration !== null && (
            <span className="text-small text-muted">
              {t('plugins.trace.took', { duration: Math.round(duration) })}
            </span>
          )}
        </p>
      )}
      {error && <TraceFault error={error} />}
      {onLine && error?.line && (
        <Button
          className="self-start"
          icon={<CornerDownLeft className="size-4 rtl:-scale-x-100" />}
          onClick={() => onLine(error.line!)}
        >
          {t('plugins.trace.goToLine', { line: error.line })}
        </Button>
      )}
      {status === 'done' && (
        <TracePart label={t('plugins.trace.result')} text={readResult(result)} />
      )}
      <TracePart label={t('plugins.trace.events')} text={events.map(readable).join('\n')} />
      <TracePart label={t('plugins.trace.logs')} text={logs.map(({ line }) => line).join('\n')} />
      {hasInput && isGiven(input) && (
        <TracePart label={t('plugins.trace.input')} text={readable(input)} />
      )}
    </section>
  )
}
