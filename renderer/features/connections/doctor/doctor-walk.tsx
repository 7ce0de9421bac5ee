import '../../../lib/strings/doctor.ts'
import { Circle, CircleAlert, CircleCheck, CircleMinus, Info, Pencil } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectionInput } from '#contract/connections.ts'
import {
  DOCTOR_STEPS,
  type DoctorFinding,
  type DoctorMend,
  type DoctorStep,
} from '#contract/doctor.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatRecent } from '../../../lib/format-time.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FoldOut } from '../../../ui/layout/fold-out.tsx'
import { FormProblem } from '../../../ui/dialogs/form-problem.tsx'
import { announce } from '../../../ui/layout/live-region.tsx'
import { Spinner } from '../../../ui/marks/spinner.tsx'
import { FindingSentence } from './finding-sentence.tsx'
import { findMeant, PointsHere, toMend } from './known-address.tsx'
import { FixedElsewhere, isMendOfAddress, MendButtons } from './mend-buttons.tsx'
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
}

function StepRow({ step, finding, isRunning, isAsked }: StepRowProps) {
  const { t } = useTranslation()
  const state: State = finding?.verdict ?? (isRunning ? 'running' : 'waiting')
  return (
    <li
      aria-current={isAsked ? 'step' : undefined}
      data-step={step}
      data-verdict={state}
      className={classNames('flex gap-3 px-4 py-2.5', isAsked && 'bg-accent-soft')}
    >
      <span className="mt-0.5 flex size-5 shrink-0 items-center justify-center">
        {MARKS[state]}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{t(`doctor.steps.${step}`)}</span>
          <span className="text-small text-muted">{t(`doctor.verdicts.${state}`)}</span>
        </p>
        {finding && (
          <p className="text-small wrap-anywhere text-muted">
            <FindingSentence text={finding.text} />
          </p>
        )}
      </div>
    </li>
  )
}

type Outcome = 'running' | 'good' | 'look' | 'bad'

function outcomeOf({ findings, isOver }: Walk): Outcome {
  if (!isOver) return 'running'
  const has = (wanted: DoctorFinding['verdict']): boolean =>
    findings.some(({ verdict }) => verdict === wanted)
  return has('bad') ? 'bad' : has('look') ? 'look' : 'good'
}

/** Returns the result in one sentence; empty while there is none. */
function useOutcomeTitle(walk: Walk): string {
  const { t } = useTranslation()
  const outcome = outcomeOf(walk)
  if (outcome === 'running' || walk.problem !== null) return ''
  if (outcome === 'good') return t('doctor.allGood')
  if (outcome === 'look') return t('doctor.looked')
  return t('doctor.failed', { count: DOCTOR_STEPS.length })
}

const PANELS: Record<Outcome, string> = {
  running: 'border-line bg-raised',
  good: 'border-accent/30 bg-accent-soft',
  look: 'border-warning/30 bg-warning-soft',
  bad: 'border-danger/30 bg-danger-soft',
}

interface RemarkProps {
  readonly finding: DoctorFinding
  readonly input: ConnectionInput
  readonly children: ReactNode
}

/** A finding that needs attention, with the remedy; a fault is the headline of the result. */
function Remark({ finding, input, children }: RemarkProps) {
  const { t } = useTranslation()
  const meant = findMeant(finding, input)
  const isFault = finding.verdict === 'bad'
  return (
    <div className="flex flex-col gap-1.5">
      <p className={classNames('wrap-anywhere', isFault && 'font-semibold')}>
        {!isFault && <span className="font-medium">{t(`doctor.steps.${finding.step}`)}: </span>}
        {meant && finding.code === 'nothing_listens' ? (
          <PointsHere />
        ) : (
          <FindingSentence text={finding.text} />
        )}
      </p>
      {meant ? (
        <p className="text-ui wrap-anywhere">
          {t('doctor.meantAddress', { name: meant.name, url: meant.url })}
        </p>
      ) : (
        finding.advice && (
          <p className="text-ui wrap-anywhere text-muted">
            <FindingSentence text={finding.advice} />
          </p>
        )
      )}
      {children}
    </div>
  )
}

interface DoctorWalkProps extends Examined {
  /** Step that a link refers to. */
  readonly asked?: DoctorStep | null
  /** Variable that sets the address, which cannot be changed here then. */
  readonly fixedBy?: string | null
  /** Opens the form of the connection; null where there is none, or where it is open already. */
  readonly onEdit?: (() => void) | null
  /** Changes the connection, and resolves with its new parameters. */
  readonly onMend: (change: MendChange) => Promise<Examined>
}

interface VerdictProps {
  readonly walk: Walk
  readonly input: ConnectionInput
  readonly title: string
  readonly fixedBy: string | null
  readonly onEdit: (() => void) | null
  readonly onMend: (change: MendChange) => Promise<void>
  /** The button that repeats the check. */
  readonly again: ReactNode
}

/** Steps whose failure is put right by another address. */
const OF_ADDRESS: ReadonlySet<DoctorStep> = new Set([
  'address',
  'runtime',
  'host',
  'port',
  'certificate',
  'answer',
  'origin',
])

interface EditWayProps {
  readonly finding: DoctorFinding
  /** Tone of the button: the main one unless the finding has a fix of its own. */
  readonly tone: 'primary' | 'quiet'
  readonly fixedBy: string | null
  readonly onEdit: () => void
}

/** Leads to where the address or key that a finding is about can be changed. */
function EditWay({ finding, tone, fixedBy, onEdit }: EditWayProps) {
  const { t } = useTranslation()
  const { step, verdict, mends } = finding
  const isOfAddress = OF_ADDRESS.has(step)
  if (verdict !== 'bad' || !(isOfAddress || step === 'key')) return null
  if (isOfAddress && fixedBy !== null)
    return mends.some(isMendOfAddress) ? null : <FixedElsewhere variable={fixedBy} />
  return (
    <Button
      tone={tone}
      className={classNames('mt-1.5 self-start', tone === 'quiet' && '-ms-3')}
      icon={<Pencil className="size-4" />}
      onClick={onEdit}
    >
      {t('doctor.edit')}
    </Button>
  )
}

/** Fixes of a finding, that of the provider's own address first. */
function mendsOf(finding: DoctorFinding, input: ConnectionInput): readonly DoctorMend[] {
  const meant = findMeant(finding, input)
  return meant ? [toMend(meant, input), ...finding.mends] : finding.mends
}

/** The result of the check: first the fault with its remedy, then how far the check came. */
function Verdict({ walk, input, title, fixedBy, onEdit, onMend, again }: VerdictProps) {
  const { t } = useTranslation()
  const { findings, running, endedAt } = walk
  const outcome = outcomeOf(walk)
  const fault = findings.find(({ verdict }) => verdict === 'bad')
  const remarks = findings.filter(({ verdict }) => verdict === 'bad' || verdict === 'look')
  const when = endedAt === null ? '' : t('doctor.checked', { when: formatRecent(endedAt) })
  return (
    <>
      <span className="mt-0.5 flex size-5 shrink-0 items-center justify-center">
        {MARKS[outcome]}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        {!fault && (
          <p className="font-semibold">
            {running === null ? title : t('doctor.running', { step: t(`doctor.steps.${running}`) })}
          </p>
        )}
        {walk.isOver &&
          remarks
            .toSorted((one, other) => Number(one !== fault) - Number(other !== fault))
            .map((finding) => {
              const mends = mendsOf(finding, input)
              return (
                <Remark key={finding.step} finding={finding} input={input}>
                  {mends.length > 0 && (
                    <MendButtons mends={mends} fixedBy={fixedBy} onMend={onMend} />
                  )}
                  {onEdit && (
                    <EditWay
                      finding={finding}
                      tone={mends.length > 0 ? 'quiet' : 'primary'}
                      fixedBy={fixedBy}
                      onEdit={onEdit}
                    />
                  )}
                </Remark>
              )
            })}
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="min-w-0 flex-1 basis-48 text-small text-muted empty:hidden">
            {walk.isOver &&
              fault &&
              `${t('doctor.failedStep', { step: t(`doctor.steps.${fault.step}`) })} ${title} `}
            {walk.isOver && when}
          </p>
          {again}
        </div>
      </div>
    </>
  )
}

/** The result of a call to a connection, and the steps that led to it. */
export function DoctorWalk(props: DoctorWalkProps) {
  const { input, id, asked = null, fixedBy = null, onEdit = null, onMend } = props
  const { t } = useTranslation()
  const walk = useWalk({ input, id })
  const { findings, running, problem, isOver, begin } = walk
  const title = useOutcomeTitle(walk)
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (title !== '') announce(title)
  }, [title])
  const mend = async (change: MendChange): Promise<void> => {
    begin(await onMend(change))
    // The pressed button was removed together with its finding.
    panel.current?.focus()
  }
  const again = (
    <Button busy={!isOver} onClick={() => begin()}>
      {t('doctor.run')}
    </Button>
  )
  return (
    <div className="flex flex-col gap-3">
      <FormProblem text={problem} />
      {problem === null ? (
        <section
          ref={panel}
          tabIndex={-1}
          aria-label={t('doctor.result')}
          aria-busy={!isOver}
          className={classNames(
            'flex items-start gap-3 rounded-large border p-4 outline-none',
            PANELS[outcomeOf(walk)],
          )}
        >
          <Verdict
            walk={walk}
            input={walk.input}
            title={title}
            fixedBy={fixedBy}
            onEdit={onEdit}
            onMend={mend}
            again={again}
          />
        </section>
      ) : (
        <div>{again}</div>
      )}
      <FoldOut title={t('doctor.progress', { count: DOCTOR_STEPS.length })} isOpen={asked !== null}>
        <ol
          aria-label={t('doctor.progress', { count: DOCTOR_STEPS.length })}
          className="mt-1 divide-y divide-line overflow-hidden rounded-large border border-line bg-raised"
        >
          {DOCTOR_STEPS.map((step) => (
            <StepRow
              key={step}
              step={step}
              finding={findings.find((found) => found.step === step) ?? null}
              isRunning={running === step}
              isAsked={asked === step}
            />
          ))}
        </ol>
      </FoldOut>
    </div>
  )
}
