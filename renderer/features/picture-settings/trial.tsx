import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Picture } from '#contract/images.ts'
import { isAborted } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { MakingState } from '../../ui/pictures/job-line.tsx'
import { readPicture } from '../../ui/pictures/known-pictures.ts'
import { addressOf } from '../../ui/pictures/picture-actions.ts'
import { toEntry } from '../../ui/pictures/picture-jobs.ts'
import { showPictures } from '../../ui/pictures/shown-pictures.ts'
import { drawSample } from './draw-sample.ts'
import { type EngineKind, isOwnServer, type Purpose } from './engine-keys.ts'
import { formatLocale } from '../../lib/i18n.ts'

interface TrialProps {
  readonly purpose: Purpose
  readonly kind: EngineKind
  readonly isUnsaved: boolean
  readonly isOn: boolean
}

interface TrialResult {
  readonly picture: Picture | null
  readonly seconds: number
}

async function makeOne(
  { name }: Purpose,
  signal: AbortSignal,
  words: { readonly make: string; readonly edit: string },
): Promise<TrialResult> {
  const start = performance.now()
  const made =
    name === 'making'
      ? await call(endpoints.images.generate, { body: { prompt: words.make, n: 1 } }, { signal })
      : await call(
          endpoints.images.edit,
          { body: { image: drawSample(), prompt: words.edit, n: 1 } },
          { signal },
        )
  const seconds = (performance.now() - start) / 1000
  const id = /\/files\/([^/?]+)/.exec(made[0]?.url ?? '')?.[1]
  return { picture: id === undefined ? null : await readPicture(id), seconds }
}

function Result({
  result: { picture, seconds },
  onRemoved,
}: {
  result: TrialResult
  onRemoved: () => void
}) {
  const { t } = useTranslation()
  const removing = useAction(async (id: string) => {
    await call(endpoints.images.remove, { params: { picture_id: id } })
    onRemoved()
  })
  const time = seconds.toLocaleString(formatLocale(), { maximumFractionDigits: 1 })
  if (!picture) return <p className="text-ui">{t('pictures.settings.trial.nothing')}</p>
  const entry = toEntry(picture)
  const rights = { mayMake: false, mayEdit: false }
  return (
    <div className="flex flex-wrap items-center gap-4">
      <button
        type="button"
        aria-label={t('pictures.enlarge', { name: picture.prompt })}
        onClick={() =>
          showPictures({ entries: [entry], index: 0, place: null, rights, isEditing: false })
        }
        className="size-24 shrink-0 cursor-zoom-in overflow-hidden rounded-medium border border-line bg-sunken"
      >
        <img src={addressOf(entry)} alt="" className="size-full object-cover" />
      </button>
      <div className="flex min-w-0 flex-1 basis-56 flex-col items-start gap-2">
        <p className="flex items-start gap-2 text-ui">
          <CircleCheck className="mt-0.5 size-4 shrink-0 text-accent" />
          <span>
            {t('pictures.settings.trial.works', {
              width: picture.width,
              height: picture.height,
              time,
            })}
          </span>
        </p>
        <FormProblem text={removing.problem} />
        <Button busy={removing.busy} onClick={() => void removing.run(picture.id)}>
          {t('pictures.settings.trial.remove')}
        </Button>
      </div>
    </div>
  )
}

/** Checks whether the saved server is available, and requests one picture. */
export function Trial({ purpose, kind, isUnsaved, isOn }: TrialProps) {
  const { t } = useTranslation()
  const [isThere, setThere] = useState(false)
  const [result, setResult] = useState<TrialResult | null>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const asking = useAction(async () => {
    setThere(false)
    await call(endpoints.images.verify, {})
    setThere(true)
  })
  const making = useAction(async () => {
    setResult(null)
    abort.current = new AbortController()
    const words = {
      make: t('pictures.settings.trial.prompt'),
      edit: t('pictures.settings.trial.editPrompt'),
    }
    try {
      setResult(await makeOne(purpose, abort.current.signal, words))
    } catch (thrown) {
      if (!isAborted(thrown)) throw thrown
    }
  })
  const hindrance = isUnsaved
    ? t('pictures.settings.trial.saveFirst')
    : isOn
      ? null
      : t(`pictures.settings.trial.switchOn.${purpose.name}`)
  return (
    <div className="flex flex-col gap-3 rounded-large border border-line bg-sunken px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        {purpose.name === 'making' && isOwnServer(kind) && (
          <Button busy={asking.busy} disabled={isUnsaved} onClick={() => void asking.run()}>
            {t('pictures.settings.trial.ask')}
          </Button>
        )}
        <Button busy={making.busy} disabled={hindrance !== null} onClick={() => void making.run()}>
          {t(`pictures.settings.trial.${purpose.name}`)}
        </Button>
        {making.busy && (
          <Button onClick={() => abort.current?.abort()}>{t('pictures.job.stop')}</Button>
        )}
        {hindrance !== null && <span className="text-small text-muted">{hindrance}</span>}
      </div>
      <output className={isThere ? 'flex items-center gap-2 text-ui' : 'sr-only'}>
        {isThere && (
          <>
            <CircleCheck className="size-4 shrink-0 text-accent" />
            {t('pictures.settings.trial.there')}
          </>
        )}
      </output>
      {making.busy && (
        <MakingState label={t('pictures.settings.trial.running')} done={null} total={null} />
      )}
      <FormProblem text={asking.problem ?? making.problem} />
      <output className={result ? 'block' : 'sr-only'}>
        {result && <Result result={result} onRemoved={() => setResult(null)} />}
      </output>
    </div>
  )
}
