import '../../ui/voice/strings.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NamedVoice } from '#contract/audio.ts'
import { call, endpoints } from '../../api/client.ts'
import { formatLocale } from '../../lib/i18n.ts'
import { EmptyLine } from '../../ui/lists/empty-line.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { RadioList } from '../../ui/controls/radio.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { PageLink } from '../../ui/settings/page-link.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { listeningWay } from '../../ui/voice/dictating.ts'
import { hasRecognition } from '../../ui/voice/recognition.ts'
import { chooseVoice, useVoiceChoice } from '../../ui/voice/voice-choice.ts'
import type { VoiceRights } from '../../ui/voice/voice-rights.ts'
import { hasDeviceVoices, listDeviceVoices, speakingWay } from '../../ui/voice/voices.ts'
import { ListensNow, SpeaksNow } from './now-rows.tsx'

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
      onChange={(value) => chooseVoice(isGateway ? { voice: value } : { deviceVoice: value })}
    />
  )
}

interface PartProps {
  readonly rights: VoiceRights
  /** True for administrators, who set up the engines for everyone. */
  readonly hasEngines: boolean
}

function Speaking({ rights: { engineSpeaks }, hasEngines }: PartProps) {
  const { t } = useTranslation()
  const choice = useVoiceChoice()
  const way = speakingWay(choice, engineSpeaks)
  const amount = (each: number): string => each.toLocaleString(formatLocale())
  return (
    <PageSection title={t('voice.settings.speaking')} text={t('voice.settings.speakingText')}>
      <div className="flex flex-col gap-4">
        <SpeaksNow way={way} engineSpeaks={engineSpeaks} hasEngines={hasEngines} />
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
            value={choice.speaks}
            onChange={(chosen) => chooseVoice({ speaks: chosen })}
          />
        )}
        {way !== null && (
          <>
            <div className="grid items-start gap-4 sm:grid-cols-2">
              <VoiceSelect key={way} isGateway={way === 'gateway'} />
              <Select
                label={t('voice.settings.speed')}
                options={SPEEDS.map((each) => ({
                  value: String(each),
                  label: t('voice.settings.speedValue', { speed: amount(each) }),
                }))}
                value={String(choice.speed)}
                onChange={(value) => chooseVoice({ speed: Number(value) })}
              />
            </div>
            <Switch
              label={t('voice.settings.readsAnswers')}
              hint={t('voice.settings.readsAnswersHint')}
              checked={choice.readsAnswers}
              onChange={(isOn) => chooseVoice({ readsAnswers: isOn })}
            />
          </>
        )}
      </div>
    </PageSection>
  )
}

function Listening({ rights, hasEngines }: PartProps) {
  const { t } = useTranslation()
  const { listens } = useVoiceChoice()
  return (
    <PageSection title={t('voice.settings.listening')} text={t('voice.settings.listeningText')}>
      <div className="flex flex-col gap-4">
        <ListensNow way={listeningWay(rights, listens)} hasEngines={hasEngines} />
        {rights.engineListens && hasRecognition() && (
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

/** The user's voice settings in this browser: what speaks and listens now, each to be tried. */
export function OwnVoice(props: PartProps) {
  const { rights, hasEngines } = props
  const { t } = useTranslation()
  return (
    <>
      <p className="mb-8 text-ui text-pretty text-muted">
        {t('voice.settings.ownText')}
        {hasEngines && (
          <>
            {' '}
            {t('voice.settings.enginesElsewhere')} <PageLink page="speech" />
          </>
        )}
      </p>
      {rights.maySpeak && <Speaking {...props} />}
      {rights.mayListen && <Listening {...props} />}
      {!rights.maySpeak && !rights.mayListen && (
        <EmptyLine>{t('voice.settings.notPermitted')}</EmptyLine>
      )}
    </>
  )
}
