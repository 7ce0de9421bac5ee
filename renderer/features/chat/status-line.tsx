import { Check, ChevronRight, FileSearch, Hourglass, Search, TriangleAlert, Wrench } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { Spinner } from '../../ui/spinner.tsx'
import type { ChatMessage } from './chat-store.ts'
import { readSources } from '../../ui/sources/read-sources.ts'

interface Status {
  /** What is done, in the words of the gateway; empty for plugins that do not say. */
  readonly action: string
  /** What of several it is done with, such as the name of a tool. */
  readonly name: string
  readonly description: string
  readonly isDone: boolean
  readonly isHidden: boolean
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

const toStatus = (row: Readonly<Record<string, unknown>>): Status => ({
  action: toText(row.action),
  name: toText(row.name),
  description: toText(row.description),
  isDone: row.done === true,
  isHidden: row.hidden === true,
})

const ICONS: Readonly<Record<string, typeof Check>> = {
  knowledge_search: Search,
  queries_generated: Search,
  sources_retrieved: FileSearch,
  sources_searched: FileSearch,
  files_pending: Hourglass,
  tool_call: Wrench,
}

/** Something was left out of the answer: to be seen without opening anything. */
const isWarning = ({ action }: Status): boolean => action === 'sources_left_out' || action === 'pictures_left_out'

const toStatuses = (message: ChatMessage): Status[] => (message.statusHistory ?? []).map(toStatus)

/** The end of a step stands in the place of its beginning. */
function withoutBeginnings(rows: readonly Status[]): readonly Status[] {
  return rows.filter(({ action, name, isDone }, index) => {
    if (isDone || action === '') return true
    return !rows.slice(index + 1).some((later) => later.action === action && later.name === name)
  })
}

const countDocuments = (sources: ChatMessage['sources']): number => new Set(readSources(sources ?? []).map(({ name }) => name)).size

/** True while there is nothing to read yet and nothing is said about why (specification, Plugin events, rule 2). */
export function showsSkeleton(message: ChatMessage): boolean {
  const last = toStatuses(message).at(-1)
  return message.content === '' && !message.reasoning_content && (last === undefined || last.isHidden)
}

function Line({ status }: { status: Status }) {
  const warns = isWarning(status)
  const Icon = warns ? TriangleAlert : (ICONS[status.action] ?? Check)
  return (
    <span className={classNames('flex min-w-0 gap-2', warns ? 'items-start text-warning' : 'items-center')}>
      {status.isDone ? (
        <Icon aria-hidden="true" className={classNames('size-3.5 shrink-0', warns && 'mt-0.75')} />
      ) : (
        <Spinner className="size-3.5" />
      )}
      <bdi className={warns ? 'text-pretty' : 'truncate'}>{status.description}</bdi>
    </span>
  )
}

/** Several steps, folded under the current one, or under what came of them. */
function Steps({ message, steps }: { message: ChatMessage; steps: readonly Status[] }) {
  const { t } = useTranslation()
  const current = steps.at(-1)!
  const found = useMemo(() => countDocuments(message.sources), [message.sources])
  const documents = steps.some(({ action }) => action === 'sources_retrieved') ? found : 0
  const label = documents > 0 ? t('chat.status.searched', { count: documents }) : t('chat.status.steps', { count: steps.length })
  return (
    <details className="group/steps">
      <summary className="flex w-fit max-w-full list-none items-center gap-1.5 rounded-small hover:text-ink">
        {!current.isDone && <Line status={current} />}
        {current.isDone && documents > 0 && <FileSearch aria-hidden="true" className="size-3.5 shrink-0" />}
        {current.isDone && label}
        <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 transition-transform group-open/steps:rotate-90 rtl:-scale-x-100" />
      </summary>
      <ol className="mt-2 flex flex-col gap-1.5 border-s border-line ps-3">
        {steps.map((status, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- steps are told in order and never move
          <li key={index}>
            <Line status={status} />
          </li>
        ))}
      </ol>
    </details>
  )
}

/** What is being done for an answer: one line that changes, folded into its steps when all are done. What was left out stays in sight. */
export function StatusLine({ message }: { message: ChatMessage }) {
  const all = toStatuses(message)
  const shown = withoutBeginnings(all.filter((status) => !status.isHidden))
  const last = all.at(-1)
  if (!last || shown.length === 0 || (last.isHidden && message.done !== true)) return null
  const [warnings, steps] = [shown.filter(isWarning), shown.filter((status) => !isWarning(status))]
  return (
    <div className="mb-3 flex flex-col gap-1.5 text-ui text-muted">
      {steps.length === 1 && <Line status={steps[0]!} />}
      {steps.length > 1 && <Steps message={message} steps={steps} />}
      {warnings.map((status, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- steps are told in order and never move
        <Line key={index} status={status} />
      ))}
    </div>
  )
}
