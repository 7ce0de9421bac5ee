import {
  BookOpenText,
  Check,
  CircleSlash,
  FileSearch,
  Globe,
  Hourglass,
  Image,
  Search,
  SquareTerminal,
  TriangleAlert,
  Wrench,
} from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import { readSources } from '../../../ui/sources/read-sources.ts'
import { Spinner } from '../../../ui/marks/spinner.tsx'
import type { ChatMessage } from '../chat-store.ts'
import { PICTURES } from '../tools/chosen-tools.ts'
import { readStatuses, type Status, withoutBeginnings } from './read-statuses.ts'
import { StatusDetails } from './status-details.tsx'
import { FoldChevron } from '../../../ui/layout/fold-chevron.tsx'
import { useStatusText } from './use-status-text.ts'

const ICONS: Readonly<Record<string, typeof Check>> = {
  knowledge_search: Search,
  queries_generated: Search,
  sources_retrieved: FileSearch,
  sources_searched: FileSearch,
  code_interpreter: SquareTerminal,
  files_pending: Hourglass,
  image_generation: Image,
  skill: BookOpenText,
  tool_call: Wrench,
  web_search: Globe,
  web_search_queries_generated: Search,
}

/** Counts the documents an answer uses by name, and web pages by URL. */
function countSources(sources: ChatMessage['sources']): { documents: number; pages: number } {
  const [documents, pages] = [new Set<string>(), new Set<unknown>()]
  for (const { name, fileId, url } of readSources(sources ?? [])) {
    if (fileId === null && typeof url === 'string' && url !== '') pages.add(url)
    else documents.add(name)
  }
  return { documents: documents.size, pages: pages.size }
}

/**
 * True while there is no text and no status explaining why (specification, Plugin events, rule 2).
 */
export function showsSkeleton(message: ChatMessage): boolean {
  const last = readStatuses(message).at(-1)
  return (
    message.content === '' && !message.reasoning_content && (last === undefined || last.isHidden)
  )
}

const PICTURE_TOOLS: ReadonlySet<string> = new Set(['generate_image', 'edit_image'])

/**
 * True for a stopped or broken-off answer: its unfinished steps do not continue, and no further
 * event reports that.
 */
const isCutShort = (message: ChatMessage): boolean =>
  message.done === true && Boolean(message.error)

function Line({ status, isOver }: { status: Status; isOver: boolean }) {
  const textOf = useStatusText()
  const warns = status.isWarning
  const Icon = warns
    ? TriangleAlert
    : status.isDone
      ? Object.hasOwn(ICONS, status.action)
        ? ICONS[status.action]!
        : Check
      : CircleSlash
  return (
    <span
      className={classNames(
        'flex min-w-0 gap-2',
        warns ? 'items-start text-warning' : 'items-center',
      )}
    >
      {status.isDone || isOver ? (
        <Icon aria-hidden="true" className={classNames('size-3.5 shrink-0', warns && 'mt-0.75')} />
      ) : (
        <Spinner className="size-3.5" />
      )}
      <bdi className={warns ? 'text-pretty' : 'truncate'}>{textOf(status)}</bdi>
    </span>
  )
}

/** Returns the summary of all steps, shown in the collapsed line. */
function useSummary(
  message: ChatMessage,
  steps: readonly Status[],
): { label: string; Icon: typeof Check | null } {
  const { t } = useTranslation()
  const found = useMemo(() => countSources(message.sources), [message.sources])
  const has = (action: string): boolean => steps.some((step) => step.action === action)
  const documents = has('sources_retrieved') ? found.documents : 0
  const pages = has('web_search') ? found.pages : 0
  const words = [
    documents > 0 && t('chat.status.searched', { count: documents }),
    pages > 0 && t('chat.status.read', { count: pages }),
  ].filter((word) => word !== false)
  if (words.length === 0)
    return { label: t('chat.status.steps', { count: steps.length }), Icon: null }
  return { label: words.join(' · '), Icon: documents > 0 ? FileSearch : Globe }
}

/** Several steps, collapsed under the current one or under their summary. */
function Steps({ message, steps }: { message: ChatMessage; steps: readonly Status[] }) {
  const current = steps.at(-1)!
  const isOver = isCutShort(message)
  const isRunning = !current.isDone && !isOver
  const { label, Icon } = useSummary(message, steps)
  return (
    <details className="group/steps">
      <summary className="flex w-fit max-w-full list-none items-center gap-1.5 rounded-small hover:text-ink pointer-coarse:min-h-11">
        {isRunning && <Line status={current} isOver={isOver} />}
        {!isRunning && Icon && <Icon aria-hidden="true" className="size-3.5 shrink-0" />}
        {!isRunning && <span className="min-w-0 truncate">{label}</span>}
        <FoldChevron />
      </summary>
      <ol className="mt-2 flex flex-col gap-1.5 border-s border-line ps-3">
        {steps.map((status, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the order of steps never changes
          <li key={index} className="min-w-0">
            <Line status={status} isOver={isOver} />
            <StatusDetails status={status} />
          </li>
        ))}
      </ol>
    </details>
  )
}

/** A finished call is shown in the answer itself, with more detail. */
const CALL_BLOCK = '<details type="tool_calls"'

const isFoldable = ({ queries, links }: Status): boolean => queries.length + links.length > 0

interface StatusLineProps {
  readonly message: ChatMessage
  /** Names of the files that the question shows as left out, one a line. */
  readonly leftOut?: string
}

/**
 * Progress of an answer: one changing line, collapsed with its steps when all are done. Omissions
 * stay visible.
 */
export function StatusLine({ message, leftOut = '' }: StatusLineProps) {
  const all = readStatuses(message)
  const showsCalls = message.content.includes(CALL_BLOCK)
  const showsRuns = Array.isArray(message.code_executions) && message.code_executions.length > 0
  // Calls and runs are shown in the answer, and a picture being generated has its own place below
  // it.
  const makesPictures = all.some(({ action }) => action === PICTURES)
  const isTold = ({ action, name, description, isDone }: Status): boolean => {
    if (action === PICTURES) return !isDone && message.done === false
    // The picture step already describes its tool call.
    if (makesPictures && action === 'tool_call' && PICTURE_TOOLS.has(name)) return true
    if (action === 'sources_left_out' && leftOut !== '')
      return leftOut.split('\n').some((file) => description.startsWith(`${file} `))
    return (
      isDone &&
      ((showsCalls && action === 'tool_call') || (showsRuns && action === 'code_interpreter'))
    )
  }
  const shown = withoutBeginnings(all).filter((status) => !status.isHidden && !isTold(status))
  const last = all.at(-1)
  if (!last || shown.length === 0 || (last.isHidden && message.done !== true)) return null
  const [warnings, others] = [
    shown.filter(({ isWarning }) => isWarning),
    shown.filter(({ isWarning }) => !isWarning),
  ]
  // Below a text its sources are listed, which says the same.
  const isListed =
    message.content !== '' &&
    readSources(message.sources ?? []).length > 0 &&
    others.every(({ action, isDone }) => action === 'sources_retrieved' && isDone)
  const steps = isListed ? [] : others
  if (steps.length + warnings.length === 0) return null
  const isFolded = steps.length > 1 || steps.some(isFoldable)
  return (
    <div className="mb-3 flex flex-col gap-1.5 text-ui text-muted">
      {steps.length === 1 && !isFolded && <Line status={steps[0]!} isOver={isCutShort(message)} />}
      {isFolded && <Steps message={message} steps={steps} />}
      {warnings.map((status, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the order of steps never changes
        <Line key={index} status={status} isOver={isCutShort(message)} />
      ))}
    </div>
  )
}
