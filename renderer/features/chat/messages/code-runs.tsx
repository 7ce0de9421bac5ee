import '../../../ui/code-output/strings.ts'
import { CircleAlert, SquareTerminal } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import { type ShownOutcome, readOutcome } from '../../../ui/code-output/shown-outcome.ts'
import { Spinner } from '../../../ui/marks/spinner.tsx'
import { FoldChevron } from '../../../ui/layout/fold-chevron.tsx'
import { asText } from '../../../lib/as-text.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'

const CodeBlock = lazyPart(() => import('../../../ui/markdown/code-block.tsx'), 'CodeBlock')
const OutcomeView = lazyPart(
  () => import('../../../ui/code-output/outcome-view.tsx'),
  'OutcomeView',
)

type Fields = Readonly<Record<string, unknown>>

const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
/** True for a run that was announced but has no result yet. */
const isUnderWay = (result: Fields): boolean => Object.keys(result).length === 0

interface CodeRunsProps {
  readonly runs: readonly Fields[]
  readonly isGrowing: boolean
  /** Files of the answer, which include those of its runs. */
  readonly files: readonly unknown[]
}

/** Returns the part of an outcome that is not shown with the answer itself. */
function withoutShown(outcome: ShownOutcome, files: readonly unknown[]): ShownOutcome {
  const shown = files.map(toFields)
  const isShown = (address: string): boolean => shown.some(({ url }) => url === address)
  return {
    ...outcome,
    pictures: outcome.pictures.filter((picture) => !isShown(picture)),
    files: outcome.files.filter(({ id }) => !isShown(`/api/v1/files/${id}/content`)),
  }
}

function CodeRun({
  run,
  isGrowing,
  files,
}: Omit<CodeRunsProps, 'runs'> & { readonly run: Fields }) {
  const { t } = useTranslation()
  const result = toFields(run.result)
  const isRunning = isGrowing && isUnderWay(result)
  const outcome = withoutShown(readOutcome(run.outcome ?? result), files)
  const isFailed = outcome.status !== 'ok'
  const [isOpen, setOpen] = useState(false)
  const name =
    asText(run.name) ||
    t(isRunning ? 'code.runs.running' : isFailed ? 'code.runs.failed' : 'code.runs.ran')
  const Icon = isFailed ? CircleAlert : SquareTerminal
  return (
    <details
      className="group/run text-ui"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary
        className={classNames(
          'flex w-fit max-w-full list-none items-center gap-2 rounded-small pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden',
          isFailed ? 'text-danger' : 'text-muted hover:text-ink',
        )}
      >
        {isRunning ? (
          <Spinner className="size-3.5" />
        ) : (
          <Icon aria-hidden="true" className="size-3.5 shrink-0" />
        )}
        <bdi className="min-w-0 truncate">{name}</bdi>
        <FoldChevron />
      </summary>
      {isOpen && (
        <div className="mt-2 flex flex-col gap-3 border-s border-line ps-3">
          <Suspense>
            <CodeBlock code={asText(run.code)} language={asText(run.language) || 'python'} />
            {!isUnderWay(result) && <OutcomeView outcome={outcome} code={asText(run.code)} />}
          </Suspense>
        </div>
      )}
    </details>
  )
}

/**
 * Code that was run for an answer, each run as an expandable row. Its pictures and files are shown
 * with those of the answer.
 */
export function CodeRuns({ runs, isGrowing, files }: CodeRunsProps) {
  const { t } = useTranslation()
  return (
    <ul aria-label={t('code.runs.list')} className="my-3 flex flex-col gap-1.5">
      {runs.map((run, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the order of runs never changes
        <li key={index} className="min-w-0">
          <CodeRun run={run} isGrowing={isGrowing} files={files} />
        </li>
      ))}
    </ul>
  )
}
