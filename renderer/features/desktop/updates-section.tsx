import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { UpdateMode, UpdateState } from '#desktop'
import { Button } from '../../ui/controls/button.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { ProgressBar } from '../../ui/marks/progress-bar.tsx'
import { RadioList } from '../../ui/controls/radio.tsx'
import { changeShell } from './shell-settings.ts'
import { actOnUpdates, followUpdates, updatesStore } from './updates.ts'

const PERCENT = { style: 'percent', maximumFractionDigits: 0 } as const

function useSentence({ phase, found, share, way }: UpdateState): string | null {
  const { t, i18n } = useTranslation()
  const version = found?.version ?? ''
  if (way === 'nowhere') return t('desktopApp.updates.nowhere')
  if (phase === 'idle') return null
  if (phase !== 'downloading') return t(`desktopApp.updates.${phase}`, { version })
  const part = share === null ? '' : new Intl.NumberFormat(i18n.language, PERCENT).format(share)
  return t('desktopApp.updates.downloading', { version, share: part })
}

/** The next action, depending on the update's phase. */
function UpdateButtons({ phase, way }: Pick<UpdateState, 'phase' | 'way'>) {
  const { t } = useTranslation()
  if (way === 'nowhere') return null
  if (phase === 'downloading' || phase === 'waiting')
    return (
      <Button onClick={() => void actOnUpdates('cancel')}>
        {t(`desktopApp.updates.${phase === 'waiting' ? 'wait' : 'cancel'}`)}
      </Button>
    )
  if (phase === 'ready')
    return (
      <Button tone="primary" onClick={() => void actOnUpdates('restart')}>
        {t('desktopApp.updates.restart')}
      </Button>
    )
  return (
    <>
      {phase === 'found' && way === 'itself' && (
        <Button tone="primary" onClick={() => void actOnUpdates('download')}>
          {t('desktopApp.updates.download')}
        </Button>
      )}
      <Button busy={phase === 'looking'} onClick={() => void actOnUpdates('look')}>
        {t('desktopApp.updates.look')}
      </Button>
    </>
  )
}

/** Release notes from the feed, as plain text. */
function Notes({ version, notes }: { version: string; notes: string }) {
  const { t } = useTranslation()
  if (notes === '')
    return <p className="text-small text-muted">{t('desktopApp.updates.noNotes')}</p>
  return (
    <FoldOut title={t('desktopApp.updates.notes', { version })}>
      <p className="max-h-80 overflow-y-auto whitespace-pre-wrap wrap-anywhere text-ui" dir="auto">
        {notes}
      </p>
    </FoldOut>
  )
}

function Progress({ state }: { state: UpdateState }) {
  const { t } = useTranslation()
  const sentence = useSentence(state)
  const { phase, found, share, way } = state
  return (
    <div className="flex flex-col gap-3">
      <output className="block text-ui text-pretty">{sentence}</output>
      {phase === 'found' && way === 'package' && (
        <p className="text-ui text-pretty">{t('desktopApp.updates.package')}</p>
      )}
      {phase === 'downloading' && (
        <ProgressBar
          label={t('desktopApp.updates.progress', { version: found?.version ?? '' })}
          value={share}
        />
      )}
      {found && <Notes {...found} />}
      <div className="flex flex-wrap gap-2">
        <UpdateButtons phase={phase} way={way} />
      </div>
    </div>
  )
}

type UpdateHint = 'neverHint' | 'askHint' | 'automaticHint' | 'automaticPackageHint'

function ModeChoice({ mode, way }: { mode: UpdateMode | null; way: UpdateState['way'] }) {
  const { t } = useTranslation()
  const option = (value: UpdateMode, hint: UpdateHint) => ({
    value,
    label: t(`desktopApp.updates.modes.${value}`),
    hint: t(`desktopApp.updates.modes.${hint}`),
  })
  return (
    <div>
      <RadioList
        legend={t('desktopApp.updates.mode')}
        isLegendShown
        options={[
          option('never', 'neverHint'),
          option('ask', 'askHint'),
          option('automatic', way === 'package' ? 'automaticPackageHint' : 'automaticHint'),
        ]}
        value={mode}
        onChange={(updates) => void changeShell({ updates })}
      />
      {mode === null && (
        <p className="mt-1.5 text-small text-muted">{t('desktopApp.updates.unset')}</p>
      )}
    </div>
  )
}

/** Updates of the app: check mode, state and actions. */
export function UpdatesSection({ mode }: { mode: UpdateMode | null }) {
  const { t } = useTranslation()
  const { state, problem } = useStore(updatesStore)
  useEffect(() => {
    const stop = followUpdates()
    void actOnUpdates('read')
    return stop
  }, [])
  if (!state) return <FormProblem text={problem} />
  const fault =
    state.problem &&
    t(`desktopApp.updates.problem.${state.problem}`, { detail: state.detail ?? '' })
  return (
    <PageSection
      title={t('desktopApp.updates.title')}
      text={`${t('desktopApp.updates.running', { version: state.version })} ${state.way === 'itself' ? t('desktopApp.updates.backup') : ''}`}
    >
      <div className="flex flex-col gap-5">
        <FormProblem text={problem ?? fault} />
        {state.way !== 'nowhere' && <ModeChoice mode={mode} way={state.way} />}
        <Progress state={state} />
      </div>
    </PageSection>
  )
}
