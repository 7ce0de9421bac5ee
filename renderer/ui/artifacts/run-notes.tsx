import { Globe, RotateCcw, Send, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls/button.tsx'
import type { ArtifactProblem } from './artifact-protocol.ts'
import { describeProblem } from './describe-problems.ts'
import { toOrigin } from './find-origins.ts'
import type { RunControl } from './use-run.ts'

function Note({ text, action }: { text: string; action: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line bg-sunken px-3 py-2">
      <output className="min-w-40 flex-1 text-small">{text}</output>
      {action}
    </div>
  )
}

const isRefused = ({ kind, text }: ArtifactProblem): boolean =>
  kind === 'blocked' && toOrigin(text) !== null

const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)

/** Problems of an artifact's page, with the available actions. */
export function RunNotes({
  control,
  onAsk,
  onOffer,
}: {
  control: RunControl
  onAsk: (() => void) | undefined
  /** Asks for network access of the page; null if none can be granted. */
  onOffer: (() => void) | null
}) {
  const { t } = useTranslation()
  const { run, stop, again } = control
  const count = run.problems.length
  const runAgain = (
    <Button icon={<RotateCcw className="size-4" />} onClick={again}>
      {t('artifacts.reload')}
    </Button>
  )
  return (
    <>
      {run.end === 'left' && <Note text={t('artifacts.left')} action={runAgain} />}
      {run.end === 'busy' && <Note text={t('artifacts.tooBusy')} action={runAgain} />}
      {run.end === 'stopped' && <Note text={t('artifacts.stopped')} action={runAgain} />}
      {run.failure !== null && (
        <Note
          text={t('artifacts.runtimeFailed', { problem: reasonOf(run.failure) })}
          action={runAgain}
        />
      )}
      {run.end === null && run.isSilent && (
        <Note
          text={t('artifacts.silent')}
          action={
            <Button icon={<Square className="size-4" />} onClick={stop}>
              {t('artifacts.stop')}
            </Button>
          }
        />
      )}
      {count > 0 && (
        <section
          aria-label={t('artifacts.problems.label')}
          className="border-t border-line bg-sunken px-3 py-2"
        >
          <div className="flex flex-wrap items-center gap-2">
            <output className="min-w-24 flex-1 text-small font-medium text-danger">
              {t('artifacts.problems.title', { count })}
            </output>
            {onOffer && run.problems.some(isRefused) && (
              <Button icon={<Globe className="size-4" />} onClick={onOffer}>
                {t('artifacts.network.offer')}
              </Button>
            )}
            {onAsk && (
              <Button icon={<Send className="size-4" />} onClick={onAsk}>
                {t('artifacts.problems.send', { count })}
              </Button>
            )}
          </div>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard */}
          <ul tabIndex={0} className="mt-1 max-h-28 overflow-auto font-mono text-small">
            {run.problems.map((problem, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- problems have no other key than their index
              <li key={index} dir="auto" className="wrap-anywhere whitespace-pre-wrap">
                {describeProblem(t, problem)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
