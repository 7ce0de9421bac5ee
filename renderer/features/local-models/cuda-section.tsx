import '../../ui/local-models/strings.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CudaOffer, CudaState } from '#contract/engine.ts'
import { useAction } from '../../api/use-action.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { DownloadRows } from '../../ui/local-models/download-rows.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import {
  changeDownload,
  readCudaOffer,
  removeCuda,
  startCudaDownload,
  type LocalModelsStore,
} from './local-models-store.ts'

interface CudaProps {
  readonly store: LocalModelsStore
  readonly cuda: CudaState
}

function useOfferText(): (offer: CudaOffer) => string {
  const { t } = useTranslation()
  return ({ download_bytes: download, installed_bytes: installed }) =>
    [
      download !== null && t('localModels.cuda.downloadSize', { size: formatBytes(download) }),
      installed !== null && t('localModels.cuda.installedSize', { size: formatBytes(installed) }),
      (download === null || installed === null) && t('localModels.cuda.sizeUnknown'),
    ]
      .filter((part) => part !== false)
      .join(' ')
}

/** Reads the sizes first; the download starts once they are confirmed. */
function DownloadButton({ store }: Pick<CudaProps, 'store'>) {
  const { t } = useTranslation()
  const toText = useOfferText()
  const [offer, setOffer] = useState<CudaOffer | null>(null)
  const reading = useAction(readCudaOffer, setOffer)
  const starting = useAction(
    () => startCudaDownload(store),
    () => toast({ text: t('localModels.cuda.started') }),
  )
  return (
    <>
      <Button busy={reading.busy || starting.busy} onClick={() => void reading.run()}>
        {t('localModels.cuda.download')}
      </Button>
      <FormProblem text={reading.problem ?? starting.problem} />
      <ConfirmDialog
        open={offer !== null}
        onClose={() => setOffer(null)}
        title={t('localModels.cuda.downloadTitle')}
        description={offer && toText(offer)}
        confirmLabel={t('localModels.download')}
        onConfirm={() => {
          setOffer(null)
          void starting.run()
        }}
      />
    </>
  )
}

const toUse = (isUsed: boolean | null): 'untried' | 'used' | 'unused' => {
  if (isUsed === null) return 'untried'
  return isUsed ? 'used' : 'unused'
}

/** Files on the disk, whether they are used, and the way to delete them. */
function OnDisk({ store, cuda }: CudaProps) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const size = formatBytes(cuda.disk_bytes)
  const removing = useAction(
    () => removeCuda(store),
    () => toast({ text: t('localModels.cuda.deleted') }),
  )
  return (
    <>
      {cuda.installed ? (
        <p className="text-ui text-pretty">
          {t('localModels.cuda.installed', { size })}{' '}
          <span className={cuda.is_used === false ? 'text-danger' : 'text-muted'}>
            {t(`localModels.cuda.${toUse(cuda.is_used)}`)}
          </span>
        </p>
      ) : (
        <p className="text-ui text-pretty">{t('localModels.cuda.incomplete', { size })}</p>
      )}
      <Button busy={removing.busy} onClick={() => setAsking(true)}>
        {t('localModels.cuda.delete')}
      </Button>
      <FormProblem text={removing.problem} />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('localModels.cuda.deleteTitle')}
        description={t('localModels.cuda.deleteText')}
        confirmLabel={t('common.delete')}
        danger
        onConfirm={() => {
          setAsking(false)
          void removing.run()
        }}
      />
    </>
  )
}

/** Files with which models run on an NVIDIA card; shown only where there is one. */
export function CudaSection({ store, cuda }: CudaProps) {
  const { t } = useTranslation()
  const { installed, disk_bytes: bytes, downloads } = cuda
  const isResting = downloads.length === 0
  return (
    <PageSection title={t('localModels.cuda.title')} text={t('localModels.cuda.text')}>
      {!isResting && (
        <DownloadRows
          downloads={downloads}
          onChange={(id, change) => void changeDownload(store, id, change).catch(toastError)}
        />
      )}
      <div className="flex flex-col items-start gap-3">
        {(installed || (isResting && bytes > 0)) && <OnDisk store={store} cuda={cuda} />}
        {!installed && isResting && <DownloadButton store={store} />}
      </div>
    </PageSection>
  )
}
