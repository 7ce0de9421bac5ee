import { Play, Square } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { isAborted, toSentence } from '../../../api/api-error.ts'
import { tryCall } from '../../../api/try-call.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FormProblem } from '../../../ui/dialogs/form-problem.tsx'
import { CodeBox } from '../code-box.tsx'
import { formatDuration, prettyJson } from '../format-call.ts'
import { StatusBadge } from '../status-badge.tsx'
import { takeKey, type TryItStore } from './try-it-store.ts'

interface Answer {
  readonly status: number
  readonly milliseconds: number
  readonly text: string
  readonly isWhole: boolean
}

const LONGEST_TEXT = 200_000

/** Passes on the text received so far, until it is complete or too long to show. */
async function readAnswer(
  response: Response,
  onText: (text: string, isWhole: boolean) => void,
): Promise<void> {
  const reader = response.body
    ?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let text = ''
  while (reader && text.length < LONGEST_TEXT) {
    const { done, value } = await reader.read()
    if (done) break
    text += value
    onText(text, false)
  }
  await reader?.cancel()
  onText(text, true)
}

function useTry(store: TryItStore, keyName: string) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  async function run(call: { method: string; path: string; body: string | null }): Promise<void> {
    const abort = new AbortController()
    running.current = abort
    setBusy(true)
    setProblem(null)
    setAnswer(null)
    try {
      const key = await takeKey(store, keyName)
      const started = performance.now()
      const response = await tryCall({ ...call, key }, abort.signal)
      const { status } = response
      await readAnswer(response, (text, isWhole) =>
        setAnswer({
          status,
          milliseconds: performance.now() - started,
          text: isWhole ? prettyJson(text) : text,
          isWhole,
        }),
      )
    } catch (thrown) {
      if (!isAborted(thrown)) setProblem(toSentence(thrown))
    } finally {
      setBusy(false)
    }
  }
  return { answer, problem, busy, run, stop: () => running.current?.abort() }
}

interface TryItProps {
  readonly store: TryItStore
  readonly method: string
  readonly path: string
  readonly body: string | null
  /** False while a parameter of the path is missing. */
  readonly isReady: boolean
}

/** Sends the call above and shows the response as it arrives. */
export function TryIt({ store, method, path, body, isReady }: TryItProps) {
  const { t } = useTranslation()
  const key = useStore(store, (state) => state.key)
  const { answer, problem, busy, run, stop } = useTry(store, t('admin.api.keyName'))
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    void run({ method, path, body })
  }
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {busy ? (
          <Button icon={<Square className="size-4" />} onClick={stop}>
            {t('admin.api.stop')}
          </Button>
        ) : (
          <Button type="submit" disabled={!isReady} icon={<Play className="size-4" />}>
            {t('admin.api.try')}
          </Button>
        )}
        <p className="min-w-0 flex-1 text-small text-muted">
          {method !== 'GET' && `${t('admin.api.tryReal')} `}
          {key === 'session' ? t('admin.api.withSession') : t('admin.api.withKey')}
        </p>
      </div>
      <FormProblem text={problem} />
      {answer && (
        <>
          <output className="flex items-center gap-2 text-small text-muted">
            <StatusBadge status={answer.status} />
            {formatDuration(answer.milliseconds)}
          </output>
          <CodeBox label={t('admin.api.answer')} text={answer.text} />
        </>
      )}
    </form>
  )
}
