import { Check, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Button } from '../../../ui/controls/button.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { Spinner } from '../../../ui/marks/spinner.tsx'
import type { Dictating } from '../../../ui/voice/dictating.ts'
import { Waveform } from '../../../ui/voice/waveform.tsx'

const PLACE =
  'absolute inset-x-0 bottom-full z-10 mb-2 rounded-large border border-line bg-raised px-3 py-2 shadow-low'

function useElapsed(from: number, isRunning: boolean): string {
  const [now, setNow] = useState(from)
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [isRunning])
  const seconds = Math.max(0, Math.floor((now - from) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Recording in progress, above the box. Enter uses it, Escape discards it. */
export function RecordingBar({ dictating }: { dictating: Dictating }) {
  const { t } = useTranslation()
  const { phase, caption, startedAt } = useStore(dictating.state)
  const done = useRef<HTMLButtonElement>(null)
  const time = useElapsed(startedAt, phase === 'recording')
  useEffect(() => {
    if (phase === 'recording') done.current?.focus()
  }, [phase])
  useEffect(() => {
    const cancel = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      dictating.cancel()
    }
    window.addEventListener('keydown', cancel)
    return () => window.removeEventListener('keydown', cancel)
  }, [dictating])
  const words =
    phase === 'opening'
      ? t('voice.opening')
      : phase === 'transcribing'
        ? t('voice.transcribing')
        : caption || t('voice.listening')
  return (
    <fieldset className={`${PLACE} flex items-center gap-2`}>
      <legend className="sr-only">{t('voice.recording')}</legend>
      <IconButton label={t('voice.cancel')} icon={<X />} onClick={() => dictating.cancel()} />
      {phase === 'recording' ? (
        <Waveform level={dictating.level} className="h-8 w-32 shrink-0 text-accent max-sm:w-20" />
      ) : (
        <Spinner className="shrink-0" />
      )}
      <p className="min-w-0 flex-1 truncate text-small text-muted" dir="auto">
        {words}
      </p>
      {phase === 'recording' && (
        <span className="shrink-0 text-small text-muted tabular-nums">
          <span className="sr-only">{t('voice.time', { time })}</span>
          <span aria-hidden="true">{time}</span>
        </span>
      )}
      <IconButton
        ref={done}
        label={t('voice.done')}
        icon={<Check />}
        disabled={phase !== 'recording'}
        className="bg-accent text-on-accent! hover:bg-accent-strong"
        onClick={() => dictating.finish()}
      />
    </fieldset>
  )
}

/** Reason nothing was recorded. */
export function VoiceProblem({ text, onClose }: { text: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <div role="alert" className={`${PLACE} flex items-start gap-2`}>
      <p className="min-w-0 flex-1 py-1 text-ui">{text}</p>
      <IconButton label={t('common.close')} icon={<X />} onClick={onClose} />
    </div>
  )
}

/**
 * Informs the user before the first use of the browser's recognition where the audio may be sent.
 */
export function VendorQuestion({ onUse, onCancel }: { onUse: () => void; onCancel: () => void }) {
  const { t } = useTranslation()
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <fieldset className={PLACE}>
      <legend className="float-start font-medium">{t('voice.vendor.title')}</legend>
      <p className="clear-both text-small text-muted">{t('voice.vendor.text')}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button ref={first} onClick={onCancel}>
          {t('voice.vendor.cancel')}
        </Button>
        <Button tone="primary" onClick={onUse}>
          {t('voice.vendor.use')}
        </Button>
      </div>
    </fieldset>
  )
}
