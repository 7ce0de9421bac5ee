import '../../ui/local-models/strings.ts'
import { Cpu, FolderOpen } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { EngineState, FoundModelFolder } from '#contract/engine.ts'
import { useAction } from '../../api/use-action.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyList } from '../../ui/lists/empty-list.tsx'
import { useFilePicker } from '../../ui/fields/file-picker.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { DownloadRows } from '../../ui/local-models/download-rows.tsx'
import {
  addModelFile,
  changeDownload,
  changeFolder,
  removeLocalModel,
  startDownload,
  type LocalModelsStore,
} from './local-models-store.ts'
import { CudaSection } from './cuda-section.tsx'
import { InstalledModels, OfferedModels } from './model-rows.tsx'
import { useWatch } from './use-watch.ts'
import { isAtGateway } from '../../lib/is-at-gateway.ts'

interface PageProps {
  readonly store: LocalModelsStore
  /** Called when the set of models may have changed, so that model lists are updated. */
  readonly onChanged: () => void
}

interface PartProps extends PageProps {
  readonly engine: EngineState
}

function Installed({ store, engine }: PartProps) {
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  async function add(file: File): Promise<void> {
    if (!/\.gguf$/i.test(file.name)) return toast({ tone: 'danger', text: t('localModels.noGguf') })
    setAdding(true)
    try {
      await addModelFile(store, file)
      toast({ text: t('localModels.added', { name: file.name }) })
    } catch (thrown) {
      toastError(thrown)
    } finally {
      setAdding(false)
    }
  }
  const picker = useFilePicker(add, '.gguf')
  async function remove(name: string): Promise<void> {
    try {
      await removeLocalModel(store, name)
      toast({ text: t('localModels.deleted', { name }) })
    } catch (thrown) {
      toastError(thrown)
    }
  }
  return (
    <PageSection
      title={t(isAtGateway() ? 'localModels.here' : 'localModels.atGateway')}
      text={t('localModels.hereText', {
        memory: formatBytes(engine.memory.total),
        disk: formatBytes(engine.disk_free),
      })}
      action={
        <Button busy={adding} onClick={picker.open}>
          {t('localModels.addFile')}
        </Button>
      }
    >
      {picker.input}
      {adding && (
        <output className="mb-3 block text-small text-muted">{t('localModels.adding')}</output>
      )}
      {engine.models.length === 0 ? (
        <EmptyList icon={<Cpu />} title={t('localModels.none')}>
          {t('localModels.noneHint')}
        </EmptyList>
      ) : (
        <InstalledModels models={engine.models} onRemove={({ name }) => void remove(name)} />
      )}
    </PageSection>
  )
}

function Downloads({ store, engine }: PartProps) {
  const { t } = useTranslation()
  if (engine.downloads.length === 0) return null
  return (
    <PageSection title={t('localModels.downloads')}>
      <DownloadRows
        downloads={engine.downloads}
        onChange={(id, change) => void changeDownload(store, id, change).catch(toastError)}
      />
    </PageSection>
  )
}

function Offered({ store, engine }: PartProps) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState<string | null>(null)
  async function download(source: string): Promise<void> {
    setBusy(source)
    try {
      const name = await startDownload(store, source)
      toast({ text: t('localModels.started', { name }) })
    } catch (thrown) {
      toastError(thrown)
    } finally {
      setBusy(null)
    }
  }
  return (
    <PageSection title={t('localModels.offered')} text={t('localModels.offeredText')}>
      <OfferedModels
        offers={engine.offered}
        busy={busy}
        onDownload={(source) => void download(source)}
      />
    </PageSection>
  )
}

function Other({ store }: PageProps) {
  const { t } = useTranslation()
  const [source, setSource] = useState('')
  const starting = useAction(
    () => startDownload(store, source),
    (name) => {
      setSource('')
      toast({ text: t('localModels.started', { name }) })
    },
  )
  return (
    <PageSection title={t('localModels.other')} text={t('localModels.otherText')}>
      <form onSubmit={starting.handleSubmit} className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <TextField
            label={t('localModels.source')}
            value={source}
            required
            spellCheck={false}
            autoCapitalize="off"
            onChange={setSource}
          />
        </div>
        <Button type="submit" busy={starting.busy}>
          {t('localModels.download')}
        </Button>
        <div className="basis-full">
          <FormProblem text={starting.problem} />
        </div>
      </form>
    </PageSection>
  )
}

function FolderRow({ folder, store }: { folder: FoundModelFolder; store: LocalModelsStore }) {
  const { t } = useTranslation()
  const { owner, path, model_count: count, is_used: isUsed } = folder
  const changing = useAction(() => changeFolder(store, folder))
  return (
    <ListRow
      icon={<FolderOpen />}
      name={owner}
      facts={[
        t('localModels.folderCount', { count }),
        <span key="path" dir="ltr" className="wrap-anywhere">
          {path}
        </span>,
      ]}
      controls={
        <Button
          busy={changing.busy}
          aria-label={t(isUsed ? 'localModels.stopUsingNamed' : 'localModels.useNamed', { owner })}
          onClick={() => void changing.run()}
        >
          {t(isUsed ? 'localModels.stopUsing' : 'localModels.use')}
        </Button>
      }
    >
      {changing.problem && <FormProblem text={changing.problem} />}
    </ListRow>
  )
}

function Folders({ store, engine }: PartProps) {
  const { t } = useTranslation()
  if (engine.folders.length === 0) return null
  return (
    <PageSection title={t('localModels.folders')} text={t('localModels.foldersText')}>
      <Rows label={t('localModels.folders')}>
        {engine.folders.map((folder) => (
          <FolderRow key={folder.path} folder={folder} store={store} />
        ))}
      </Rows>
    </PageSection>
  )
}

/** Models of this computer: installed, downloading and offered ones. */
export function LocalModelsPage(props: PageProps) {
  const { t } = useTranslation()
  const { engine, problem } = useStore(props.store)
  useWatch(props)
  if (!engine) return problem ? <FormProblem text={problem} /> : <PageWait />
  const parts = { ...props, engine }
  return (
    <>
      <p className="mb-6 text-ui text-pretty text-muted md:-mt-2">
        {t(isAtGateway() ? 'localModels.text' : 'localModels.textAtGateway')}
      </p>
      {!engine.enabled && <FormProblem text={t('localModels.off')} />}
      <Installed {...parts} />
      <Downloads {...parts} />
      <Offered {...parts} />
      <Other {...props} />
      <Folders {...parts} />
      {engine.cuda && <CudaSection store={props.store} cuda={engine.cuda} />}
    </>
  )
}
