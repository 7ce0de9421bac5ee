import { CircleAlert, Wrench } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import { TracePart, TraceWork } from '../../../ui/trace/trace-view.tsx'
import { useTraces } from '../traces/use-traces.ts'
import { readReason } from './read-reason.ts'
import type { ShownCall } from './split-answer.ts'
import { FoldChevron } from '../../../ui/layout/fold-chevron.tsx'

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const hasArguments = (text: string): boolean => !['', '{}'].includes(text.trim())

/** Arguments and result of a call and, while the gateway keeps it, its trace. */
function CallDetails({ call, messageId }: { call: ShownCall; messageId: string }) {
  const { t } = useTranslation()
  const { traces } = useTraces(messageId)
  const trace =
    traces.state === 'ready' ? traces.traces.find(({ call_id: id }) => id === call.id) : undefined
  return (
    <div className="mt-2 flex flex-col gap-3 border-s border-line ps-3">
      {hasArguments(call.arguments) && (
        <TracePart label={t('chat.tools.arguments')} text={readable(call.arguments)} />
      )}
      <TracePart
        label={t('chat.tools.result')}
        text={readable(call.result)}
        isFault={call.isFailed}
      />
      {trace && <TraceWork trace={trace} />}
      {trace && trace.duration !== null && (
        <p className="text-small text-muted">
          <bdi>{trace.plugin_id}</bdi> ·{' '}
          {t('plugins.trace.took', { duration: Math.round(trace.duration) })}
        </p>
      )}
    </div>
  )
}

/** Name of the tool used, or a sentence with the reason it failed. */
function CallWords({ call }: { call: ShownCall }) {
  const { t } = useTranslation()
  const { name, isFailed, result } = call
  const reason = isFailed ? readReason(result) : ''
  if (!isFailed) return <span className="min-w-0 truncate">{t('chat.tools.used', { name })}</span>
  return (
    <span className="min-w-0 wrap-anywhere">
      {reason === ''
        ? t('chat.tools.failed', { name })
        : t('chat.tools.failedBecause', { name, reason })}
    </span>
  )
}

function CallLine({ call, messageId }: { call: ShownCall; messageId: string }) {
  const [isOpen, setOpen] = useState(false)
  const Icon = call.isFailed ? CircleAlert : Wrench
  return (
    <details
      className="group/call text-ui"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary
        className={classNames(
          'flex w-fit max-w-full list-none items-center gap-2 rounded-small pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden',
          call.isFailed ? 'text-danger' : 'text-muted hover:text-ink',
        )}
      >
        <Icon aria-hidden="true" className="size-3.5 shrink-0" />
        <CallWords call={call} />
        <FoldChevron />
      </summary>
      {isOpen && <CallDetails call={call} messageId={messageId} />}
    </details>
  )
}

/** Consecutive tool calls: one line each, collapsed into one line if there are several. */
export function ToolCalls({
  calls,
  messageId,
}: {
  calls: readonly ShownCall[]
  messageId: string
}) {
  const { t } = useTranslation()
  const hasFailed = calls.some(({ isFailed }) => isFailed)
  const lines = calls.map((call, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- calls never move, and a model may give two of them the same id
    <li key={index}>
      <CallLine call={call} messageId={messageId} />
    </li>
  ))
  if (calls.length < 3) return <ul className="my-3 flex flex-col gap-1.5">{lines}</ul>
  return (
    <details className="group/calls my-3 text-ui text-muted" open={hasFailed || undefined}>
      <summary className="flex w-fit list-none items-center gap-2 rounded-small hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <Wrench className="size-3.5 shrink-0" />
        {t('chat.tools.usedMany', { count: calls.length })}
        <FoldChevron />
      </summary>
      <ul className="mt-2 flex flex-col gap-1.5 border-s border-line ps-3">{lines}</ul>
    </details>
  )
}
