import '../../../ui/voice/strings.ts'
import { AudioLines, Mic, VolumeX } from 'lucide-react'
import { type RefObject, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { announce } from '../../../ui/layout/live-region.tsx'
import { Dictating, listeningWay } from '../../../ui/voice/dictating.ts'
import { chooseVoice, useVoiceChoice, voiceChoice } from '../../../ui/voice/voice-choice.ts'
import type { VoiceRights } from '../../../ui/voice/voice-rights.ts'
import type { OpenChat } from '../chat-registry.ts'
import { type Draft, isBlank } from '../composer/draft.ts'
import { readAloud, readingStore, stopReading } from './reading.ts'
import { RecordingBar, VendorQuestion, VoiceProblem } from './recording-bar.tsx'
import { lazyPart } from '../../../lib/lazy-part.ts'

const CallDialog = lazyPart(() => import('./call-dialog.tsx'), 'CallDialog')

interface VoiceButtonsProps {
  readonly chat: OpenChat
  readonly rights: VoiceRights
  readonly draft: Draft
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly hasModel: boolean
  readonly onChange: (draft: Draft) => void
  readonly onSend: (text: string) => void
}

/** Reads answers requested in this window aloud, if the user enabled that. */
function useReadingAnswers(chat: OpenChat, rights: VoiceRights, isOff: boolean): void {
  const { readsAnswers } = useVoiceChoice()
  const isOn = readsAnswers && rights.maySpeak && !isOff
  useEffect(() => {
    if (!isOn) return undefined
    let last = chat.store.getState().liveTurn
    return chat.store.subscribe(({ liveTurn }) => {
      if (liveTurn === null || liveTurn === last) return
      last = liveTurn
      void readAloud(chat.store, liveTurn, rights)
    })
  }, [chat, rights, isOn])
}

/** Buttons for dictation, calls and stopping the voice, beside the send button. */
export function VoiceButtons(props: VoiceButtonsProps) {
  const { chat, rights, draft, box, hasModel, onChange, onSend } = props
  const { t } = useTranslation()
  const choice = useVoiceChoice()
  const [isAsking, setAsking] = useState(false)
  const [isCalling, setCalling] = useState(false)
  const isReading = useStore(readingStore, ({ messageId }) => messageId !== null)
  const [dictating] = useState(() => new Dictating())
  const { phase, problem } = useStore(dictating.state)
  useEffect(() =>
    dictating.connect((words) => {
      const text = draft.text.trimEnd()
      onChange({ ...draft, text: text === '' ? words : `${text} ${words}` })
      announce(t('voice.transcribed'))
      box.current?.focus()
    }),
  )
  useEffect(
    () => () => {
      // Audio belongs to the displayed conversation, where it can be stopped.
      stopReading()
      dictating.close()
    },
    [dictating],
  )
  useReadingAnswers(chat, rights, isCalling)
  const way = listeningWay(rights, choice.listens)
  const start = (): void => {
    stopReading()
    if (way === 'browser' && !voiceChoice().agreedToVendor) setAsking(true)
    else if (way !== null) dictating.start(way)
  }
  const shape = 'size-9 rounded-full! pointer-coarse:min-h-9 pointer-coarse:min-w-9'
  return (
    <>
      {isReading && (
        <IconButton
          label={t('voice.stopReading')}
          side="top"
          icon={<VolumeX />}
          className={shape}
          onClick={stopReading}
        />
      )}
      {rights.mayListen && (
        <IconButton
          label={t('voice.dictate')}
          hint={way === null ? t('voice.dictateNoEngine') : undefined}
          side="top"
          icon={<Mic />}
          className={shape}
          aria-disabled={way === null}
          aria-pressed={phase !== 'off'}
          onClick={start}
        />
      )}
      {rights.mayCall && rights.engineListens && isBlank(draft) && (
        <IconButton
          label={t('voice.call.start')}
          side="top"
          icon={<AudioLines />}
          className={shape}
          disabled={!hasModel || phase !== 'off'}
          onClick={() => {
            stopReading()
            setCalling(true)
          }}
        />
      )}
      {phase !== 'off' && <RecordingBar dictating={dictating} />}
      {problem !== null && <VoiceProblem text={problem} onClose={() => dictating.dismiss()} />}
      {isAsking && (
        <VendorQuestion
          onCancel={() => setAsking(false)}
          onUse={() => {
            setAsking(false)
            chooseVoice({ agreedToVendor: true })
            dictating.start('browser')
          }}
        />
      )}
      {isCalling && (
        <Suspense>
          <CallDialog
            chat={chat}
            rights={rights}
            onSend={onSend}
            onClose={() => setCalling(false)}
          />
        </Suspense>
      )}
    </>
  )
}
