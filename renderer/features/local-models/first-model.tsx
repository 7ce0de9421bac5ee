import '../../ui/local-models/strings.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { isAtGateway } from '../../lib/is-at-gateway.ts'
import { toastError } from '../../ui/floating/toast.tsx'
import { DownloadRows } from '../../ui/local-models/download-rows.tsx'
import { changeDownload, startDownload, type LocalModelsStore } from './local-models-store.ts'
import { OfferedModels } from './model-rows.tsx'
import { useWatch } from './use-watch.ts'

/** Maximum number of models offered at first. */
const MOST_OFFERS = 3

interface FirstModelProps {
  readonly store: LocalModelsStore
  readonly onChanged: () => void
}

/** Models this computer can run, for users without any. */
export function FirstModel(props: FirstModelProps) {
  const { t } = useTranslation()
  const { store } = props
  const engine = useStore(store, (state) => state.engine)
  const [busy, setBusy] = useState<string | null>(null)
  useWatch(props)
  if (!engine?.enabled || engine.models.length > 0) return null
  const offers = engine.offered.filter(
    ({ fits, task }) => fits && (task === 'chat' || task === 'small'),
  )
  async function download(source: string): Promise<void> {
    setBusy(source)
    await startDownload(store, source).catch(toastError)
    setBusy(null)
  }
  if (offers.length === 0) return null
  const title = t(isAtGateway() ? 'localModels.firstRun' : 'localModels.firstRunAtGateway')
  return (
    <section aria-label={title} className="mt-4">
      <p className="mb-2 text-small text-muted">{title}</p>
      {engine.downloads.length > 0 ? (
        <DownloadRows
          downloads={engine.downloads}
          onChange={(id, change) => void changeDownload(store, id, change).catch(toastError)}
        />
      ) : (
        <OfferedModels
          offers={offers.slice(0, MOST_OFFERS)}
          busy={busy}
          onDownload={(source) => void download(source)}
        />
      )}
    </section>
  )
}
