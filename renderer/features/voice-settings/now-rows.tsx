import '../../ui/voice/strings.ts'
import { Mic, MicOff, Volume2, VolumeX } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { announce } from '../../ui/layout/live-region.tsx'
import { RowMark } from '../../ui/lists/list-row.tsx'
import { PageLink } from '../../ui/settings/page-link.tsx'
import { Dictating, type ListeningWay } from '../../ui/voice/dictating.ts'
import { Speaker } from '../../ui/voice/speaker.ts'
import { chooseVoice, voiceChoice, type VoiceChoice } from '../../ui/voice/voice-choice.ts'
import { chooseSpeaker } from '../../ui/voice/voices.ts'

interface NowRowProps {
  /** What the row is about, for screen readers. */
  readonly label: string
  readonly icon: ReactNode
  readonly name: string
  readonly hint: ReactNode
  /** The button that tries it. */
  readonly trial: ReactNode
  /** Result of the trial. */
  readonly children: ReactNode
}

function NowRow({ label, icon, name, hint, trial, children }: NowRowProps) {
  return (
    <section
      aria-label={label}
      className="flex items-start gap-3 rounded-large border border-line bg-raised px-4 py-3"
    >
      <RowMark>{icon}</RowMark>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium">{name}</p>
          <p className="mt-0.5 text-small text-pretty text-muted">{hint}</p>
          {children && <div className="mt-1.5">{children}</div>}
        </div>
        {trial}
      </div>
    </section>
  )
}

/** What to do where nothing speaks or listens. */
function SetUp({ hasEngines }: { hasEngines: boolean }) {
  const { t } = useTranslation()
  if (!hasEngines) return t('voice.settings.askAdministrator')
  return (
    <>
      {t('voice.settings.setUp')} <PageLink page="speech" />
    </>
  )
}

interface SpeaksNowProps {
  readonly way: VoiceChoice['speaks'] | null
  readonly engineSpeaks: boolean
  readonly hasEngines: boolean
}

/** What reads aloud now, with a sample. */
export function SpeaksNow({ way, engineSpeaks, hasEngines }: SpeaksNowProps) {
  const { t } = useTranslation()
  const speaker = useRef<Speaker | null>(null)
  const [isSpeaking, setSpeaking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => () => speaker.current?.stop(), [])
  const speak = async (): Promise<void> => {
    const voice = chooseSpeaker(voiceChoice(), engineSpeaks)
    if (!voice) return setProblem(t('voice.noVoice'))
    setProblem(null)
    setSpeaking(true)
    const begun = new Speaker(voice)
    speaker.current = begun
    begun.say([t('voice.settings.sample')])
    begun.complete()
    await begun.done
    setSpeaking(false)
    setProblem(begun.store.getState().problem)
  }
  const texts = {
    gateway: [t('voice.settings.speaksGateway'), t('voice.settings.speaksGatewayHint')],
    device: [t('voice.settings.speaksDevice'), t('voice.settings.speaksDeviceHint')],
  } as const
  return (
    <NowRow
      label={t('voice.settings.speaks')}
      icon={way === null ? <VolumeX /> : <Volume2 />}
      name={way === null ? t('voice.settings.speaksNothing') : texts[way][0]}
      hint={way === null ? <SetUp hasEngines={hasEngines} /> : texts[way][1]}
      trial={
        way !== null && (
          <Button onClick={() => (isSpeaking ? speaker.current?.stop() : void speak())}>
            {t(isSpeaking ? 'voice.settings.stop' : 'voice.settings.try')}
          </Button>
        )
      }
    >
      {problem !== null && <FormProblem text={problem} />}
    </NowRow>
  )
}

interface TrialProps {
  readonly dictating: Dictating
  readonly way: ListeningWay
}

function ListenTrial({ dictating, way }: TrialProps) {
  const { t } = useTranslation()
  const { phase } = useStore(dictating.state)
  const [isAsking, setAsking] = useState(false)
  const start = (): void => {
    if (way === 'browser' && !voiceChoice().agreedToVendor) setAsking(true)
    else dictating.start(way)
  }
  return (
    <>
      <Button
        busy={phase === 'opening' || phase === 'transcribing'}
        onClick={() => (phase === 'off' ? start() : dictating.finish())}
      >
        {t(phase === 'recording' ? 'voice.settings.stop' : 'voice.settings.tryListening')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('voice.vendor.title')}
        description={t('voice.vendor.text')}
        confirmLabel={t('voice.vendor.use')}
        onConfirm={() => {
          setAsking(false)
          chooseVoice({ agreedToVendor: true })
          dictating.start('browser')
        }}
      />
    </>
  )
}

interface ListensNowProps {
  readonly way: ListeningWay | null
  readonly hasEngines: boolean
}

/** What turns speech into text now, with a trial that shows the words that were heard. */
export function ListensNow({ way, hasEngines }: ListensNowProps) {
  const { t } = useTranslation()
  const [dictating] = useState(() => new Dictating())
  const { phase, problem, caption } = useStore(dictating.state)
  const [heard, setHeard] = useState('')
  useEffect(() => {
    dictating.connect((text) => {
      setHeard(text)
      announce(t('voice.settings.heard', { text }))
    })
  }, [dictating, t])
  useEffect(() => () => dictating.close(), [dictating])
  const texts = {
    gateway: [t('voice.settings.listensGateway'), t('voice.settings.listensGatewayHint')],
    browser: [t('voice.settings.listensBrowser'), t('voice.settings.listensBrowserHint')],
  } as const
  const words = phase === 'off' ? heard : caption
  const isListening = phase === 'recording' && words === ''
  const result = words === '' ? '' : t('voice.settings.heard', { text: words })
  return (
    <NowRow
      label={t('voice.settings.listens')}
      icon={way === null ? <MicOff /> : <Mic />}
      name={way === null ? t('voice.settings.listensNothing') : texts[way][0]}
      hint={way === null ? <SetUp hasEngines={hasEngines} /> : texts[way][1]}
      trial={way !== null && <ListenTrial dictating={dictating} way={way} />}
    >
      {(isListening || result !== '' || problem !== null) && (
        <>
          <p className="wrap-anywhere">{isListening ? t('voice.settings.sayAnything') : result}</p>
          <FormProblem text={problem} />
        </>
      )}
    </NowRow>
  )
}
