import './strings.ts'
import { AppWindow } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { LocalProgram } from '#contract/programs.ts'
import { useAction } from '../../api/use-action.ts'
import { isAtGateway } from '../../lib/is-at-gateway.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import {
  changeProgram,
  isStarting,
  loadPrograms,
  toOffered,
  type ProgramsStore,
} from './programs-store.ts'

const LOOK_MILLISECONDS = 1000

interface InstalledProgramsProps {
  readonly store: ProgramsStore
  /** Called when a program was started or stopped, to update what depends on it. */
  readonly onChanged: () => void
}

function ProgramRow({
  program,
  store,
  onChanged,
}: InstalledProgramsProps & { program: LocalProgram }) {
  const { t } = useTranslation()
  const { id, name, url, state, advice, problem, is_ours: isOurs, can_start: canStart } = program
  const isRunning = state === 'running'
  const changing = useAction(
    () => changeProgram(store, id, isRunning ? 'stop' : 'start'),
    () => {
      toast({ text: t(isRunning ? 'programs.ended' : 'programs.started', { name }) })
      onChanged()
    },
  )
  return (
    <ListRow
      icon={<AppWindow />}
      name={name}
      description={canStart || isOurs ? undefined : <bdi lang="en">{advice}</bdi>}
      facts={[
        t(isRunning && isOurs ? 'programs.ours' : `programs.${isRunning ? 'stopped' : state}`),
        <span key="url" dir="ltr" className="wrap-anywhere">
          {url}
        </span>,
      ]}
      controls={
        (canStart || isOurs) && (
          <Button
            busy={changing.busy || state === 'starting'}
            aria-label={t(isRunning ? 'programs.stopNamed' : 'programs.startNamed', { name })}
            onClick={() => void changing.run()}
          >
            {t(isRunning ? 'programs.stop' : 'programs.start')}
          </Button>
        )
      }
    >
      <FormProblem text={changing.problem ?? problem} />
    </ListRow>
  )
}

/** Installed model runtimes that are not running, each with a start button. */
export function InstalledPrograms({ store, onChanged }: InstalledProgramsProps) {
  const { t } = useTranslation()
  const offered = useStore(store, useShallow(toOffered))
  const moving = useStore(store, isStarting)
  useEffect(() => void loadPrograms(store), [store])
  useEffect(() => {
    if (!moving) return undefined
    const timer = setInterval(() => void loadPrograms(store), LOOK_MILLISECONDS)
    return () => clearInterval(timer)
  }, [moving, store])
  if (offered.length === 0) return null
  const title = t(isAtGateway() ? 'programs.here' : 'programs.atGateway')
  return (
    <PageSection title={title} text={t('programs.text')}>
      <Rows label={title}>
        {offered.map((program) => (
          <ProgramRow key={program.id} program={program} store={store} onChanged={onChanged} />
        ))}
      </Rows>
    </PageSection>
  )
}
