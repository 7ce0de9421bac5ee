import '../../../ui/voice/strings.ts'
import { Mic, MicOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Button } from '../../../ui/controls/button.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../../ui/dialogs/form-problem.tsx'
import type { VoiceRights } from '../../../ui/voice/voice-rights.ts'
import { Waveform } from '../../../ui/voice/waveform.tsx'
import type { OpenChat } from '../chat-registry.ts'
import { Call } from './call.ts'

interface CallDialogProps {
  readonly chat: OpenChat
  readonly rights: VoiceRights
  readonly onSend: (text: string) => void
  readonly onClose: () => void
}

/** A call keeps its initial parameters, and ends with the dialog. */
function useCall({ chat, rights, onSend }: CallDialogProps): Call {
  const [call] = useState(() => new Call({ store: chat.store, rights, onSend }))
  useEffect(() => {
    void call.begin()
    return () => call.end()
  }, [call])
  return call
}

function CallBody({ call, onClose }: { call: Call; onClose: () => void }) {
  const { t } = useTranslation()
  const { phase, isMuted, said, caption, problem } = useStore(call.state)
  const [level] = useState(() => () => call.level())
  const shown = isMuted && phase === 'listening' ? 'muted' : phase
  const isAnswering = phase === 'waiting' || phase === 'speaking'
  return (
    <div className="flex flex-col gap-4">
      <div className="flex min-h-11 items-center gap-3">
        <Waveform level={level} className="h-10 w-40 shrink-0 text-accent" />
        <output className="font-medium">{t(`voice.call.state.${shown}`)}</output>
      </div>
      <dl
        aria-label={t('voice.call.captions')}
        className="grid min-h-24 content-start gap-1 rounded-large border border-line bg-sunken px-3 py-2"
      >
        {said !== '' && (
          <>
            <dt className="text-small text-muted">{t('voice.call.you')}</dt>
            <dd dir="auto">{said}</dd>
          </>
        )}
        {caption !== '' && (
          <>
            <dt className="text-small text-muted">{t('voice.call.answer')}</dt>
            <dd dir="auto">{caption}</dd>
          </>
        )}
      </dl>
      <FormProblem text={problem} />
      <div className="flex flex-wrap justify-end gap-2">
        {isAnswering && (
          <Button onClick={() => call.interrupt()}>{t('voice.call.interrupt')}</Button>
        )}
        {phase !== 'failed' && (
          <Button
            icon={isMuted ? <MicOff /> : <Mic />}
            aria-pressed={isMuted}
            onClick={() => call.mute(!isMuted)}
          >
            {t(isMuted ? 'voice.call.unmute' : 'voice.call.mute')}
          </Button>
        )}
        <Button tone="primary" onClick={onClose}>
          {t('voice.call.end')}
        </Button>
      </div>
    </div>
  )
}

/** A voice call with the answering model, with captions. */
export function CallDialog(props: CallDialogProps) {
  const { t } = useTranslation()
  const call = useCall(props)
  return (
    <Dialog
      onClose={props.onClose}
      title={t('voice.call.title')}
      description={t('voice.call.text')}
    >
      <CallBody call={call} onClose={props.onClose} />
    </Dialog>
  )
}
