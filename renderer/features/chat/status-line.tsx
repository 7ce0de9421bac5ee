import { Check, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Spinner } from '../../ui/spinner.tsx'
import type { ChatMessage } from './chat-store.ts'

interface Status {
  readonly description: string
  readonly isDone: boolean
  readonly isHidden: boolean
}

const toStatus = (row: Readonly<Record<string, unknown>>): Status => ({
  description: typeof row.description === 'string' ? row.description : '',
  isDone: row.done === true,
  isHidden: row.hidden === true,
})

const toStatuses = (message: ChatMessage): Status[] => (message.statusHistory ?? []).map(toStatus)

/** True while there is nothing to read yet and nothing is said about why (specification, Plugin events, rule 2). */
export function showsSkeleton(message: ChatMessage): boolean {
  const last = toStatuses(message).at(-1)
  return message.content === '' && !message.reasoning_content && (last === undefined || last.isHidden)
}

const Line = ({ status }: { status: Status }) => (
  <span className="flex min-w-0 items-center gap-2">
    {status.isDone ? <Check aria-hidden="true" className="size-3.5 shrink-0" /> : <Spinner className="size-3.5" />}
    <bdi className="truncate">{status.description}</bdi>
  </span>
)

/** What is being done for an answer: one line that changes, folded into its steps when all are done. */
export function StatusLine({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const all = toStatuses(message)
  const shown = all.filter((status) => !status.isHidden)
  const last = all.at(-1)
  if (!last || shown.length === 0 || (last.isHidden && message.done !== true)) return null
  const current = shown.at(-1)!
  if (shown.length === 1) {
    return (
      <div className="mb-3 text-ui text-muted">
        <Line status={current} />
      </div>
    )
  }
  return (
    <details className="group/steps mb-3 text-ui text-muted">
      <summary className="flex w-fit max-w-full list-none items-center gap-1.5 rounded-small hover:text-ink">
        {current.isDone ? t('chat.status.steps', { count: shown.length }) : <Line status={current} />}
        <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 transition-transform group-open/steps:rotate-90 rtl:-scale-x-100" />
      </summary>
      <ol className="mt-2 flex flex-col gap-1.5 border-s border-line ps-3">
        {shown.map((status, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- steps are told in order and never move
          <li key={index}>
            <Line status={status} />
          </li>
        ))}
      </ol>
    </details>
  )
}
