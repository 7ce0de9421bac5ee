import { ChevronRight, SquareTerminal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { TracePart } from '../../ui/trace/trace-view.tsx'

type Fields = Readonly<Record<string, unknown>>

const toFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

function CodeRun({ run }: { run: Fields }) {
  const { t } = useTranslation()
  const result = toFields(run.result)
  const name = toText(run.name) || t('chat.code.run')
  const error = toText(result.error)
  return (
    <details className="group/run text-ui">
      <summary className="flex w-fit max-w-full list-none items-center gap-2 rounded-small text-muted hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <SquareTerminal aria-hidden="true" className="size-3.5 shrink-0" />
        <bdi className="min-w-0 truncate">{name}</bdi>
        <ChevronRight aria-hidden="true" className="size-3.5 shrink-0 transition-transform group-open/run:rotate-90 rtl:-scale-x-100" />
      </summary>
      <div className="mt-2 flex flex-col gap-3 border-s border-line ps-3">
        <TracePart label={t('chat.code.source')} text={toText(run.code)} />
        <TracePart label={t('plugins.trace.error')} text={error} isFault />
        <TracePart label={t('chat.code.output')} text={toText(result.output)} />
      </div>
    </details>
  )
}

/** Code that was run for an answer, with what it gave; each folded into a line. */
export function CodeRuns({ runs }: { runs: readonly unknown[] }) {
  const { t } = useTranslation()
  return (
    <ul aria-label={t('chat.code.runs')} className="my-3 flex flex-col gap-1.5">
      {runs.map((run, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- runs keep their place
        <li key={index}>
          <CodeRun run={toFields(run)} />
        </li>
      ))}
    </ul>
  )
}
