import { PackagePlus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PluginEnvironment } from '#contract/plugins.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { ProgressBar } from '../../ui/marks/progress-bar.tsx'
import {
  beginInstall,
  type PluginSource,
  type PluginStoreKind,
  readInstall,
  stopInstall,
} from './plugin-kinds.ts'
import { formatNames } from '../../lib/format-list.ts'

interface PackageOfferProps {
  readonly store: PluginStoreKind
  /** Packages that the plugin needs but does not declare. */
  readonly packages: readonly string[]
  readonly read: () => Promise<Pick<PluginSource, 'content' | 'requirements'>>
  /**
   * Called when they are installed in addition to the plugin's previous ones: it can be saved with
   * `requirements`.
   */
  readonly onInstalled: (requirements: readonly string[]) => void
}

const LOOK_EVERY = 1000

const isUnderWay = ({ status }: PluginEnvironment): boolean =>
  status === 'waiting' || status === 'installing'

/** Offers to install the packages a plugin needs, with progress and a stop button. */
export function PackageOffer({ store, packages, read, onInstalled }: PackageOfferProps) {
  const { t } = useTranslation()
  const [shown, setShown] = useState<PluginEnvironment | null>(null)
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const installing = useAction(async () => {
    setShown(null)
    const { content, requirements } = await read()
    const wanted = [...new Set([...requirements, ...packages])]
    let environment = await beginInstall(store, content, wanted)
    while (isUnderWay(environment) && isHere.current) {
      setShown(environment)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
      environment = await readInstall(environment.id)
    }
    if (environment.status === 'failed')
      throw new Error(environment.detail ?? t('plugins.packages.failed'))
    return wanted
  }, onInstalled)
  const stopping = useAction(async () => shown && stopInstall(shown.id))
  const list = formatNames(packages)
  return (
    <section
      aria-label={t('plugins.packages.title')}
      className="flex flex-col gap-2.5 rounded-medium border border-line bg-sunken px-4 py-3 text-small"
    >
      <p className="text-ui text-pretty wrap-anywhere">{t('plugins.packages.needs', { list })}</p>
      <FormProblem text={installing.problem ?? stopping.problem} />
      <p
        aria-live="polite"
        className={installing.busy ? 'truncate font-mono text-code text-muted' : 'hidden'}
        dir="auto"
      >
        {shown?.log.at(-1) ?? t('plugins.packages.waiting')}
      </p>
      {installing.busy && <ProgressBar label={t('plugins.packages.title')} value={null} />}
      <div className="flex flex-wrap gap-2">
        <Button
          tone="primary"
          busy={installing.busy}
          icon={<PackagePlus className="size-4" />}
          onClick={() => void installing.run()}
        >
          {t('plugins.packages.install', { list })}
        </Button>
        {installing.busy && (
          <Button busy={stopping.busy} disabled={!shown} onClick={() => void stopping.run()}>
            {t('plugins.packages.stop')}
          </Button>
        )}
      </div>
    </section>
  )
}
