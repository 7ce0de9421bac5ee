import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callRaw, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { formatLocale } from '../../lib/i18n.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { toSpeakingUrl } from '../../ui/voice/speaking-url.ts'
import { transcribe } from '../../ui/voice/transcribe.ts'
import type { Direction } from './engine-fields.ts'
import { writeTestTone } from './write-test-tone.ts'

async function speakSample(text: string): Promise<number> {
  const reply = await callRaw(endpoints.audio.speech, { body: { input: text } })
  const sound = await reply.blob()
  const { url, discard } = toSpeakingUrl(sound)
  const audio = new Audio(url)
  audio.addEventListener('ended', discard, { once: true })
  // If playback fails, e.g. without loudspeakers, the size still shows that the test succeeded.
  audio.play().catch(discard)
  return sound.size
}

/** Tests the saved engine with one spoken sentence, or by transcribing a tone. */
export function EngineTest({
  direction: { name },
  isUnsaved,
}: {
  direction: Direction
  isUnsaved: boolean
}) {
  const { t } = useTranslation()
  const [result, setResult] = useState<string | null>(null)
  const testing = useAction(async () => {
    setResult(null)
    const start = performance.now()
    const seconds = (): string =>
      ((performance.now() - start) / 1000).toLocaleString(formatLocale(), {
        maximumFractionDigits: 1,
      })
    if (name === 'speak') {
      const bytes = await speakSample(t('voice.settings.sample'))
      const time = seconds()
      setResult(t('voice.settings.testSpeaks', { size: formatBytes(bytes), time }))
      return
    }
    const recording = { blob: writeTestTone(), filename: 'test.wav' }
    const text = await transcribe(recording, new AbortController().signal)
    const time = seconds()
    setResult(
      text === ''
        ? t('voice.settings.testSilence', { time })
        : t('voice.settings.testListens', { text, time }),
    )
  })
  return (
    <div className="flex flex-col gap-3 rounded-large border border-line bg-sunken px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <Button busy={testing.busy} disabled={isUnsaved} onClick={() => void testing.run()}>
          {t('voice.settings.test')}
        </Button>
        {isUnsaved && (
          <span className="text-small text-muted">{t('voice.settings.testSaveFirst')}</span>
        )}
      </div>
      <FormProblem text={testing.problem} />
      <output className={result === null ? 'sr-only' : 'flex items-start gap-2 text-ui'}>
        {result !== null && (
          <>
            <CircleCheck className="mt-0.5 size-4 shrink-0 text-accent" />
            {result}
          </>
        )}
      </output>
    </div>
  )
}
