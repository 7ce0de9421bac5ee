import { ChevronRight, CircleAlert, Wrench } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import type { ShownCall } from './split-answer.ts'

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function Box({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="text-small font-medium text-muted">{label}</p>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls has to be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        dir="auto"
        className="mt-1 max-h-64 overflow-auto rounded-medium bg-sunken px-3 py-2 font-mono text-code whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </pre>
    </div>
  )
}

function CallLine({ call }: { call: ShownCall }) {
  const { t } = useTranslation()
  const Icon = call.isFailed ? CircleAlert : Wrench
  return (
    <details className="group/call text-ui" open={call.isFailed || undefined}>
      <summary
        className={classNames(
          'flex w-fit max-w-full list-none items-center gap-2 rounded-small pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden',
          call.isFailed ? 'text-danger' : 'text-muted hover:text-ink',
        )}
      >
        <Icon aria-hidden="true" className="size-3.5 shrink-0" />
        <span className="min-w-0 truncate">{t(call.isFailed ? 'chat.tools.failed' : 'chat.tools.used', { name: call.name })}</span>
        <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 transition-transform group-open/call:rotate-90 rtl:-scale-x-100" />
      </summary>
      <div className="mt-2 flex flex-col gap-3 border-s border-line ps-3">
        {call.arguments.trim() !== '' && call.arguments.trim() !== '{}' && (
          <Box label={t('chat.tools.arguments')} text={readable(call.arguments)} />
        )}
        <Box label={t('chat.tools.result')} text={readable(call.result)} />
      </div>
    </details>
  )
}

/** Calls of tools that stand together: one line each, folded into one line when there are several. */
export function ToolCalls({ calls }: { calls: readonly ShownCall[] }) {
  const { t } = useTranslation()
  const hasFailed = calls.some(({ isFailed }) => isFailed)
  const lines = calls.map((call, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- calls never move, and a model may give two the same id
    <li key={index}>
      <CallLine call={call} />
    </li>
  ))
  if (calls.length < 3) return <ul className="my-3 flex flex-col gap-1.5">{lines}</ul>
  return (
    <details className="group/calls my-3 text-ui text-muted" open={hasFailed || undefined}>
      <summary className="flex w-fit list-none items-center gap-2 rounded-small hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <Wrench aria-hidden="true" className="size-3.5 shrink-0" />
        {t('chat.tools.usedMany', { count: calls.length })}
        <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 transition-transform group-open/calls:rotate-90 rtl:-scale-x-100" />
      </summary>
      <ul className="mt-2 flex flex-col gap-1.5 border-s border-line ps-3">{lines}</ul>
    </details>
  )
}
