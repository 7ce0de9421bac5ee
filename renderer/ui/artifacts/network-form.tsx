import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls/button.tsx'
import { Checkbox } from '../controls/checkbox.tsx'
import { FormProblem } from '../dialogs/form-problem.tsx'
import { announce } from '../layout/live-region.tsx'
import { isNearby } from './find-origins.ts'
import type { NetworkControl } from './use-network.ts'

function OriginBox({
  origin,
  isChosen,
  onChoose,
}: {
  origin: string
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}) {
  const { t } = useTranslation()
  return (
    <label className="flex min-h-8 items-center gap-2">
      <Checkbox checked={isChosen} onChange={onChoose} />
      <span className="min-w-0">
        <bdi className="font-mono text-ui wrap-anywhere">{origin}</bdi>
        {isNearby(origin) && (
          <span className="block text-small text-danger">{t('artifacts.network.nearby')}</span>
        )}
      </span>
    </label>
  )
}

/** Grants a page access to the origins it names, and revokes it. */
export function NetworkForm({
  network,
  named,
  onDone,
}: {
  network: NetworkControl
  named: readonly string[]
  onDone: () => void
}) {
  const { t } = useTranslation()
  const title = useId()
  const { origins, isBusy } = network
  const offered = [...new Set([...origins, ...named])]
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(origins))
  const choose = (origin: string, isChosen: boolean): void => {
    const next = new Set(chosen)
    if (isChosen) next.add(origin)
    else next.delete(origin)
    setChosen(next)
  }
  const finish = (hasWorked: boolean, word: string): void => {
    if (!hasWorked) return
    announce(word)
    onDone()
  }
  const allow = async (): Promise<void> =>
    finish(
      await network.allow(offered.filter((origin) => chosen.has(origin))),
      t('artifacts.network.allowed'),
    )
  const revoke = async (): Promise<void> =>
    finish(await network.revoke(), t('artifacts.network.revoked'))
  return (
    <section
      aria-labelledby={title}
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-4"
    >
      <h3 id={title} className="font-semibold">
        {t('artifacts.network.title')}
      </h3>
      <p className="text-ui text-muted">{t('artifacts.network.explain')}</p>
      <FormProblem text={network.problem} />
      {offered.length === 0 ? (
        <p>{t('artifacts.network.none')}</p>
      ) : (
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 text-ui font-medium">{t('artifacts.network.which')}</legend>
          {offered.map((origin) => (
            <OriginBox
              key={origin}
              origin={origin}
              isChosen={chosen.has(origin)}
              onChoose={(isChosen) => choose(origin, isChosen)}
            />
          ))}
        </fieldset>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={onDone}>{t('artifacts.network.cancel')}</Button>
        {origins.length > 0 && (
          <Button tone="danger" busy={isBusy} onClick={() => void revoke()}>
            {t('artifacts.network.revoke')}
          </Button>
        )}
        {offered.length > 0 && (
          <Button
            tone="primary"
            busy={isBusy}
            disabled={chosen.size === 0}
            onClick={() => void allow()}
          >
            {t('artifacts.network.allow')}
          </Button>
        )}
      </div>
    </section>
  )
}
