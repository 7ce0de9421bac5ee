import '../../ui/local-models/strings.ts'
import { AudioLines, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { LocalSpeech } from '#contract/audio.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { Button } from '../../ui/controls/button.tsx'
import { useFilePicker } from '../../ui/fields/file-picker.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { EmptyList } from '../../ui/lists/empty-list.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { DownloadRows } from '../../ui/local-models/download-rows.tsx'
import {
  addSpeechModel,
  changeSpeechDownload,
  chooseSpeechModel,
  downloadSpeechModel,
  isMoving,
  loadLocalSpeech,
  removeSpeechModel,
  type LocalSpeechStore,
} from './local-speech-store.ts'
import { OfferedSpeechModels, SpeechModels } from './speech-model-rows.tsx'

interface PartProps {
  readonly store: LocalSpeechStore
  readonly speech: LocalSpeech
}

const LOOK_MILLISECONDS = 1000

function Installed({ store, speech }: PartProps) {
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  async function add(file: File): Promise<void> {
    if (!/\.bin$/i.test(file.name))
      return toast({ tone: 'danger', text: t('voice.settings.local.noModel') })
    setAdding(true)
    try {
      await addSpeechModel(store, file)
      toast({ text: t('voice.settings.local.added', { name: file.name }) })
    } catch (thrown) {
      toastError(thrown)
    } finally {
      setAdding(false)
    }
  }
  const picker = useFilePicker(add, '.bin')
  async function choose(name: string): Promise<void> {
    try {
      await chooseSpeechModel(store, name)
      toast({ text: t('voice.settings.local.nowUsed', { name }) })
    } catch (thrown) {
      toastError(thrown)
    }
  }
  async function remove(name: string): Promise<void> {
    try {
      await removeSpeechModel(store, name)
      toast({ text: t('localModels.deleted', { name }) })
    } catch (thrown) {
      toastError(thrown)
    }
  }
  return (
    <PageSection
      title={t('voice.settings.local.title')}
      text={t('voice.settings.local.text', {
        memory: formatBytes(speech.memory.total),
        disk: formatBytes(speech.disk_free),
      })}
      action={
        <Button busy={adding} onClick={picker.open}>
          {t('voice.settings.local.addFile')}
        </Button>
      }
    >
      {picker.input}
      {adding && (
        <output className="mb-3 block text-small text-muted">
          {t('voice.settings.local.adding')}
        </output>
      )}
      {speech.models.length === 0 ? (
        <EmptyList icon={<AudioLines />} title={t('voice.settings.local.none')}>
          {t('voice.settings.local.noneHint')}
        </EmptyList>
      ) : (
        <SpeechModels
          models={speech.models}
          onUse={(name) => void choose(name)}
          onRemove={(name) => void remove(name)}
        />
      )}
    </PageSection>
  )
}

function Offered({ store, speech }: PartProps) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState<string | null>(null)
  const there = new Set(speech.models.map(({ name }) => name))
  const offers = speech.offered.filter(({ name }) => !there.has(name))
  async function download(name: string): Promise<void> {
    setBusy(name)
    try {
      await downloadSpeechModel(store, name)
      toast({ text: t('localModels.started', { name }) })
    } catch (thrown) {
      toastError(thrown)
    } finally {
      setBusy(null)
    }
  }
  if (offers.length === 0) return null
  return (
    <PageSection
      title={t('voice.settings.local.offered')}
      text={t('voice.settings.local.offeredText')}
    >
      {speech.slow && (
        <p className="mb-3 flex gap-2.5 rounded-medium bg-warning-soft px-3.5 py-2.5 text-small text-pretty">
          <TriangleAlert className="mt-0.5 size-3.5 shrink-0 text-warning" />
          {t('voice.settings.local.slowHere')}
        </p>
      )}
      <OfferedSpeechModels offers={offers} busy={busy} onDownload={(name) => void download(name)} />
      {!speech.slow && (
        <p className="mt-3 text-small text-pretty text-muted">{t('voice.settings.local.slow')}</p>
      )}
    </PageSection>
  )
}

/** The speech models of the gateway's computer: installed, downloading and offered. */
export function LocalSpeechSection({ store }: { store: LocalSpeechStore }) {
  const { t } = useTranslation()
  const { speech, problem } = useStore(store)
  const moving = useStore(store, isMoving)
  useEffect(() => void loadLocalSpeech(store), [store])
  useEffect(() => {
    if (!moving) return undefined
    const timer = setInterval(() => void loadLocalSpeech(store), LOOK_MILLISECONDS)
    return () => clearInterval(timer)
  }, [moving, store])
  if (!speech) return problem ? <FormProblem text={problem} /> : <PageWait />
  return (
    <>
      <Installed store={store} speech={speech} />
      {speech.downloads.length > 0 && (
        <PageSection title={t('localModels.downloads')}>
          <DownloadRows
            downloads={speech.downloads}
            onChange={(id, change) =>
              void changeSpeechDownload(store, id, change).catch(toastError)
            }
          />
        </PageSection>
      )}
      <Offered store={store} speech={speech} />
    </>
  )
}
