import '../../ui/voice/strings.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NamedVoice } from '#contract/audio.ts'
import { call, endpoints } from '../../api/client.ts'
import { formatLocale } from '../../lib/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { RadioList } from '../../ui/controls/radio.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { PageLink } from '../../ui/settings/page-link.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { hasRecognition } from '../../ui/voice/recognition.ts'
import { Speaker } from '../../ui/voice/speaker.ts'
import { chooseVoice, useVoiceChoice, voiceChoice } from '../../ui/voice/voice-choice.ts'
import type { VoiceRights } from '../../ui/voice/voice-rights.ts'
import { chooseSpeaker, hasDeviceVoices, listDeviceVoices } from '../../ui/voice/voices.ts'

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

/** Returns the voices of the engine or the device; empty until known. */
function useVoices(isGateway: boolean): readonly NamedVoice[] {
  const [voices, setVoices] = useState<readonly NamedVoice[]>([])
  useEffect(() => {
    const leaving = new AbortController()
    const ask = isGateway
      ? call(endpoints.audio.voices, {}, { signal: leaving.signal }).then((reply) => reply.voices)
      : listDeviceVoices().then((found) =>
          found.map(({ voiceURI, name, lang }) => ({ id: voiceURI, name: `${name} (${lang})` })),
        )
    ask.then(
      (found) => !leaving.signal.aborted && setVoices(found),
      () => undefined,
    )
    return () => leaving.abort()
  }, [isGateway])
  return voices
}

function VoiceSelect({ isGateway }: { isGateway: boolean }) {
  const { t } = useTranslation()
  const choice = useVoiceChoice()
  const voices = useVoices(isGateway)
  const value = isGateway ? choice.voice : choice.deviceVoice
  const known = voices.some(({ id }) => id === value)
  const options = [
    { value: '', label: t('voice.settings.voiceUsual') },
    ...voices.map(({ id, name }) => ({ value: id, label: name, isExempt: true })),
    ...(value !== '' && !known ? [{ value, label: value, isExempt: true }] : []),
  ]
  return (
    <Select
      label={t('voice.settings.voice')}
      options={options}
      value={value}
      onChange={({ target }) =>
        chooseVoice(isGateway ? { voice: target.value } : { deviceVoice: target.value })
      }
    />
  )
}

function Sample({ engineSpeaks }: { engineSpeaks: boolean }) {
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
  return (
    <>
      <Button
        className="self-start"
        onClick={() => (isSpeaking ? speaker.current?.stop() : void speak())}
      >
        {t(isSpeaking ? 'voice.settings.stop' : 'voice.settings.try')}
      </Button>
      <FormProblem text={problem} />
    </>
  )
}

function Speaking({ engineSpeaks }: { engineSpeaks: boolean }) {
  const { t } = useTranslation()
  const { speaks, speed, readsAnswers } = useVoiceChoice()
  const isGateway = engineSpeaks && (speaks === 'gateway' || !hasDeviceVoices())
  const amount = (each: number): string => each.toLocaleString(formatLocale())
  return (
    <>
      {engineSpeaks && hasDeviceVoices() && (
        <RadioList
          legend={t('voice.settings.speaks')}
          isLegendShown
          options={[
            {
              value: 'gateway',
              label: t('voice.settings.speaksGateway'),
              hint: t('voice.settings.speaksGatewayHint'),
            },
            {
              value: 'device',
              label: t('voice.settings.speaksDevice'),
              hint: t('voice.settings.speaksDeviceHint'),
            },
          ]}
          value={speaks}
          onChange={(chosen) => chooseVoice({ speaks: chosen })}
        />
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <VoiceSelect key={String(isGateway)} isGateway={isGateway} />
        <Select
          label={t('voice.settings.speed')}
          options={SPEEDS.map((each) => ({
            value: String(each),
            label: t('voice.settings.speedValue', { speed: amount(each) }),
          }))}
          value={String(speed)}
          onChange={({ target }) => chooseVoice({ speed: Number(target.value) })}
        />
      </div>
      <Sample engineSpeaks={engineSpeaks} />
      <Switch
        label={t('voice.settings.readsAnswers')}
        hint={t('voice.settings.readsAnswersHint')}
        checked={readsAnswers}
        onChange={(isOn) => chooseVoice({ readsAnswers: isOn })}
      />
    </>
  )
}

interface OwnVoiceProps {
  readonly rights: VoiceRights
  /** True for administrators, who set up the engines for everyone. */
  readonly hasEngines: boolean
}

/** The user's voice settings in this browser. */
export function OwnVoice({ rights, hasEngines }: OwnVoiceProps) {
  const { t } = useTranslation()
  const { listens } = useVoiceChoice()
  return (
    <PageSection
      text={
        <>
          {t('voice.settings.ownText')}
          {hasEngines && (
            <>
              {' '}
              {t('voice.settings.enginesElsewhere')} <PageLink page="speech" />
            </>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {rights.maySpeak && <Speaking engineSpeaks={rights.engineSpeaks} />}
        {rights.mayListen && rights.engineListens && hasRecognition() && (
          <RadioList
            legend={t('voice.settings.listens')}
            isLegendShown
            options={[
              {
                value: 'gateway',
                label: t('voice.settings.listensGateway'),
                hint: t('voice.settings.listensGatewayHint'),
              },
              {
                value: 'browser',
                label: t('voice.settings.listensBrowser'),
                hint: t('voice.settings.listensBrowserHint'),
              },
            ]}
            value={listens}
            onChange={(chosen) => chooseVoice({ listens: chosen })}
          />
        )}
      </div>
    </PageSection>
  )
}
