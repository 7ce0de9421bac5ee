import '../../../lib/strings/doctor.ts'
import { Circle, CircleAlert, CircleCheck, CircleMinus, Info } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DOCTOR_STEPS, type DoctorFinding, type DoctorStep } from '#contract/doctor.ts'
import { Button } from '../../../ui/button.tsx'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { announce } from '../../../ui/live-region.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { FindingSentence } from './finding-sentence.tsx'
import { MendButtons } from './mend-buttons.tsx'
import type { MendChange } from './mend-change.ts'
import { useWalk, type Examined, type Walk } from './use-walk.ts'

type State = DoctorFinding['verdict'] | 'waiting' | 'running'

const MARK = { 'aria-hidden': true, className: 'size-5' } as const
const MARKS: Record<State, ReactNode> = {
  good: <CircleCheck {...MARK} className="size-5 text-accent" />,
  look: <Info {...MARK} className="size-5 text-warning" />,
  bad: <CircleAlert {...MARK} className="size-5 text-danger" />,
  skipped: <CircleMinus {...MARK} className="size-5 text-muted" />,
  waiting: <Circle {...MARK} className="size-5 text-muted" />,
  running: <Spinner />,
}

interface StepRowProps {
  readonly step: DoctorStep
  readonly finding: DoctorFinding | null
  readonly isRunning: boolean
  /** True if a link refers to this step. */
  readonly isAsked: boolean
  readonly children: ReactNode
}

function StepRow({ step, finding, isRunning, isAsked, children }: StepRowProps) {
  const { t } = useTranslation()
  const state: State = finding?.verdict ?? (isRunning ? 'running' : 'waiting')
  return (
    <li
      aria-current={isAsked ? 'step' : undefined}
      data-step={step}
      data-verdict={state}
      className={`flex gap-3 px-4 py-3 ${isAsked ? 'bg-accent-soft' : ''}`}
    >
      <span className="mt-0.5 flex size-5 shrink-0 items-center justify-center">
        {MARKS[state]}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{t(`doctor.steps.${step}`)}</span>
          <span className="text-small text-muted">{t(`doctor.verdicts.${state}`)}</span>
        </p>
        {finding && (
          <p className="text-ui wrap-anywhere">
            <FindingSentence text={finding.text} />
          </p>
        )}
        {finding?.advice && (
          <p className="text-ui wrap-anywhere text-muted">
            <FindingSentence text={finding.advice} />
          </p>
        )}
        {children}
      </div>
    </li>
  )
}

function useOutcome({ findings, isOver, problem }: Walk): string {
  const { t } = useTranslation()
  if (!isOver || problem !== null) return ''
  const bad = findings.find(({ verdict }) => verdict === 'bad')
  if (bad) return t('doctor.stopped', { step: t(`doctor.steps.${bad.step}`) })
  return t(findings.some(({ verdict }) => verdict === 'look') ? 'doctor.looked' : 'doctor.allGood')
}

interface DoctorWalkProps extends Examined {
  /** Step that a link refers to. */
  readonly asked?: DoctorStep | null
  readonly isFixed?: boolean
  /** Changes the connection, and resolves with its new parameters. */
  readonly onMend: (change: MendChange) => Promise<Examined>
}

/** The steps of a call to a connection, performed in order, each with its findings. */
export function DoctorWalk({ input, id, asked = null, isFixed = false, onMend }: DoctorWalkProps) {
  const { t } = useTranslation()
  const walk = useWalk({ input, id })
  const { findings, running, problem, isOver, begin } = walk
  const outcome = useOutcome(walk)
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (outcome !== '') announce(outcome)
  }, [outcome])
  const mend = async (change: MendChange): Promise<void> => {
    begin(await onMend(change))
    // The pressed button was removed together with its finding.
    list.current?.focus()
  }
  return (
    <div className="flex flex-col gap-3">
      <FormProblem text={problem} />
      <ol
        ref={list}
        tabIndex={-1}
        aria-label={t('doctor.progress')}
        aria-busy={!isOver}
        className="divide-y divide-line overflow-hidden rounded-large border border-line bg-raised"
      >
        {DOCTOR_STEPS.map((step) => {
          const finding = findings.find((found) => found.step === step) ?? null
          return (
            <StepRow
              key={step}
              step={step}
              finding={finding}
              isRunning={running === step}
              isAsked={asked === step}
            >
              {finding && finding.mends.length > 0 && isOver && (
                <MendButtons mends={finding.mends} isFixed={isFixed} onMend={mend} />
              )}
            </StepRow>
          )
        })}
      </ol>
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={!isOver} onClick={() => begin()}>
          {t('doctor.run')}
        </Button>
        <p className="text-ui font-medium">
          {running === null ? outcome : t('doctor.running', { step: t(`doctor.steps.${running}`) })}
        </p>
      </div>
    </div>
  )
}
