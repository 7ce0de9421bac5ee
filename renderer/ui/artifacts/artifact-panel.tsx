import { Maximize2, Minimize2, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../controls/icon-button.tsx'
import { announce } from '../layout/live-region.tsx'
import { SelectBox } from '../controls/select.tsx'
import { ArtifactBar, type ArtifactLook } from './artifact-bar.tsx'
import { ArtifactContent, ComparedVersions, SourceText } from './artifact-content.tsx'
import type { Artifact, ArtifactSource, ArtifactVersion } from './collect-artifacts.ts'
import { askToMend } from './describe-problems.ts'
import { findOrigins } from './find-origins.ts'
import { NetworkForm } from './network-form.tsx'
import { RunNotes } from './run-notes.tsx'
import { SourceEditor } from './source-editor.tsx'
import './artifact-panel.css'
import './strings.ts'
import { type ArtifactPlace, type ShownArtifact, useArtifact } from './use-artifact.ts'
import { type ArtifactNetworks, type NetworkControl, useNetwork } from './use-network.ts'
import { useRun } from './use-run.ts'

export interface ArtifactPanelProps {
  readonly sources: readonly ArtifactSource[]
  /** The opened code block. */
  readonly place: ArtifactPlace
  readonly onClose: () => void
  /** Stores a changed source as a version after this one; absent if editing is not permitted. */
  readonly onSave?: (after: ArtifactVersion, source: string) => Promise<void>
  /** Sends a text to the model; absent if there is none. */
  readonly onAsk?: (text: string) => void
  /** Store of the artifacts' network access; absent if none can be granted. */
  readonly networks?: ArtifactNetworks
}

const useNames = (artifacts: readonly Artifact[]): readonly string[] => {
  const { t } = useTranslation()
  return artifacts.map(({ name, kind }, index) => {
    const plain = name ?? t(`artifacts.kind.${kind}`)
    const isTaken = artifacts.some(
      (other, place) => place < index && other.name === name && other.kind === kind,
    )
    return isTaken ? `${plain} (${index + 1})` : plain
  })
}

/**
 * The sheet: a dialog beside the conversation, or over everything in full screen, which can switch
 * without restarting the artifact's page.
 */
function Sheet({
  head,
  label,
  onClose,
  children,
}: {
  head: ReactNode
  label: string
  onClose: () => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  const sheet = useRef<HTMLDialogElement>(null)
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const before = document.activeElement
    sheet.current?.show()
    sheet.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const toggleFull = (next: boolean): void => {
    sheet.current?.close()
    if (next) sheet.current?.showModal()
    else sheet.current?.show()
    setFull(next)
  }
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    if (isFull) toggleFull(false)
    else onClose()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape is handled for everything inside
    <dialog
      ref={sheet}
      aria-label={label}
      tabIndex={-1}
      className="artifact-panel"
      onKeyDown={handleKey}
      onCancel={(event) => {
        event.preventDefault()
        toggleFull(false)
      }}
    >
      <div className="flex h-header shrink-0 items-center gap-1 ps-3 pe-2 pointer-coarse:h-13">
        <div className="min-w-0 flex-1">{head}</div>
        <IconButton
          label={t(isFull ? 'artifacts.leaveFullScreen' : 'artifacts.fullScreen')}
          icon={isFull ? <Minimize2 /> : <Maximize2 />}
          onClick={() => toggleFull(!isFull)}
        />
        <IconButton label={t('artifacts.close')} icon={<X />} onClick={onClose} />
      </div>
      {children}
    </dialog>
  )
}

function Looked({
  shown,
  look,
  title,
  control,
  network,
  form,
}: {
  shown: ShownArtifact
  look: ArtifactLook
  title: string
  control: ReturnType<typeof useRun>
  network: NetworkControl | null
  /** Content of the edit and network views. */
  form: ReactNode
}) {
  const { t } = useTranslation()
  const { artifact, version, index } = shown
  if (look === 'edit' || look === 'network') return form
  if (look === 'compare' && index > 0)
    return (
      <>
        <p className="border-b border-line px-3 py-1.5 text-small text-muted">
          {t('artifacts.compare.title', { before: index, after: index + 1 })}
        </p>
        <ComparedVersions before={artifact.versions[index - 1]!.source} after={version.source} />
      </>
    )
  if (look === 'source') return <SourceText code={version.source} language={artifact.language} />
  if (control.run.end !== null) return <div className="min-h-0 flex-1 bg-sunken" />
  return (
    <ArtifactContent
      artifact={artifact}
      version={version}
      title={title}
      control={control}
      network={network}
    />
  )
}

function useSaving(
  { artifact }: Pick<ShownArtifact, 'artifact'>,
  onSave: ArtifactPanelProps['onSave'],
  onSaved: () => void,
): { isSaving: boolean; problem: string | null; save: (source: string) => void } {
  const { t } = useTranslation()
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const keep = async (source: string): Promise<void> => {
    setSaving(true)
    setProblem(null)
    try {
      await onSave?.(artifact.versions.at(-1)!, source)
      announce(t('artifacts.edit.saved'))
      onSaved()
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown))
    } finally {
      setSaving(false)
    }
  }
  return { isSaving, problem, save: (source) => void keep(source) }
}

function Opened({
  shown,
  onClose,
  onSave,
  onAsk,
  networks,
}: Omit<ArtifactPanelProps, 'sources' | 'place'> & { shown: ShownArtifact }) {
  const { t } = useTranslation()
  const { artifacts, artifact, version, choose } = shown
  const [look, setLook] = useState<ArtifactLook>('view')
  const [named, setNamed] = useState<readonly string[]>([])
  const control = useRun()
  const network = useNetwork(networks, artifact.id)
  const { begin } = control
  useEffect(() => begin(), [begin, version.id, look])
  const names = useNames(artifacts)
  const title = names[artifacts.indexOf(artifact)] ?? t('artifacts.title')
  const newest = artifact.versions.at(-1)!
  const saving = useSaving(shown, onSave, () => {
    shown.step(artifact.versions.length)
    setLook('view')
  })
  const { problems } = control.run
  const ask = (): void =>
    onAsk?.(askToMend(t, artifact, version, { problems, origins: network?.origins ?? [] }))
  const lookAt = (next: ArtifactLook): void => {
    // The origins it requested are forgotten once it stops running, so they are collected now.
    if (next === 'network') setNamed(findOrigins(version.source, problems))
    setLook(next)
  }
  const editor = (
    <>
      {saving.problem !== null && (
        <p role="alert" className="px-3 pt-3 text-small text-danger">
          {t('artifacts.edit.failed', { problem: saving.problem })}
        </p>
      )}
      <SourceEditor
        key={version.id}
        source={version.source}
        isSaving={saving.isSaving}
        onSave={saving.save}
        onCancel={() => setLook('view')}
      />
    </>
  )
  const networkForm = network && (
    <NetworkForm key={artifact.id} network={network} named={named} onDone={() => setLook('view')} />
  )
  const head =
    artifacts.length > 1 ? (
      <SelectBox
        isNarrow
        aria-label={t('artifacts.title')}
        value={artifact.id}
        options={artifacts.map(({ id }, index) => ({
          value: id,
          label: names[index]!,
          isExempt: true,
        }))}
        onChange={choose}
      />
    ) : (
      <h2 className="truncate text-ui font-semibold">
        <bdi>{title}</bdi>
      </h2>
    )
  return (
    <Sheet head={head} label={t('artifacts.title')} onClose={onClose}>
      <ArtifactBar
        shown={shown}
        look={look}
        control={control}
        mayEdit={onSave !== undefined && newest.isClosed}
        network={network}
        onLook={lookAt}
      />
      {!version.isClosed && (
        <p className="px-3 py-1 text-small text-muted">{t('artifacts.growing')}</p>
      )}
      <Looked
        shown={shown}
        look={look}
        title={title}
        control={control}
        network={network}
        form={look === 'network' ? networkForm : editor}
      />
      {look === 'view' && (
        <RunNotes
          control={control}
          onAsk={onAsk && ask}
          onOffer={network && (() => lookAt('network'))}
        />
      )}
    </Sheet>
  )
}

/** Pages, drawings, components, diagrams, documents and code of answers, shown beside them. */
export function ArtifactPanel({ sources, place, onClose, ...rest }: ArtifactPanelProps) {
  const { t } = useTranslation()
  const shown = useArtifact(sources, place)
  if (shown) return <Opened shown={shown} onClose={onClose} {...rest} />
  return (
    <Sheet head={null} label={t('artifacts.title')} onClose={onClose}>
      <p className="p-4 text-muted">{t('artifacts.gone')}</p>
    </Sheet>
  )
}
