import '../../lib/strings/import.ts'
import { CircleCheck, FileUp, TriangleAlert, Undo2 } from 'lucide-react'
import { useRef, useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Import } from '#contract/imports.ts'
import { classNames } from '../../lib/class-names.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { ProgressBar } from '../../ui/marks/progress-bar.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { EarlierImports, sayUndone } from './earlier-imports.tsx'
import { ImportPreview, PromptsPreview } from './import-preview.tsx'
import { MoveIn } from './move-in.tsx'
import {
  cancelUpload,
  type ImportStep,
  type ImportStore,
  readArchive,
  runImport,
  startOver,
  stopImport,
  undoImport,
} from './import-store.ts'
import { formatNames, formatShare } from '../../lib/format-list.ts'
import { formatBytes } from '../../lib/format-size.ts'

const countMessages = ({ chats }: Import): number =>
  chats.reduce((sum, chat) => sum + chat.message_count, 0)

type StepOf<Kind extends ImportStep['kind']> = Extract<ImportStep, { kind: Kind }>

/** Sources with instructions for obtaining an export file. */
const HOW_TO = [
  'own',
  'chatgpt',
  'claude',
  'open-webui',
  'lm-studio',
  'anythingllm',
  'librechat',
] as const

/** Accepts a file by selection or drop. */
function ChooseStep({
  store,
  problem,
  canSearch,
}: {
  store: ImportStore
  problem: string | null
  canSearch: boolean
}) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const read = (files: FileList | null): void => {
    const file = files?.[0]
    if (file) void readArchive(store, file)
  }
  const handleDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    read(event.dataTransfer.files)
  }
  const handleDragOver = (event: DragEvent): void => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <div className="flex flex-col gap-4">
      <FormProblem text={problem} />
      <div
        onDragOver={handleDragOver}
        onDragLeave={() => setOver(false)}
        onDrop={handleDrop}
        className={classNames(
          'flex flex-col items-center gap-3 rounded-large border-2 border-dashed px-6 py-9 text-center transition-colors duration-(--motion-in)',
          isOver ? 'border-accent bg-accent-soft' : 'border-line bg-sunken',
        )}
      >
        <FileUp className="size-7 stroke-[1.5] text-muted" />
        <p className="font-medium">{t('import.drop')}</p>
        <Button tone="primary" onClick={() => input.current?.click()}>
          {t('import.chooseFile')}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".zip,.json,.db,application/zip,application/json"
          aria-label={t('import.file')}
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            read(event.target.files)
            event.target.value = ''
          }}
        />
        <p className="max-w-md text-small text-muted">{t('import.private')}</p>
      </div>
      {canSearch && <MoveIn store={store} />}
      <details className="text-small">
        <summary className="min-h-6 font-medium text-muted">{t('import.whereFrom')}</summary>
        <dl className="mt-2 flex flex-col gap-2">
          {HOW_TO.map((source) => (
            <div key={source}>
              <dt className="font-medium">{t(`import.source.${source}`)}</dt>
              <dd className="text-muted">{t(`import.howTo.${source}`)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  )
}

function UploadStep({ store, step }: { store: ImportStore; step: StepOf<'uploading'> }) {
  const { t } = useTranslation()
  const isSent = step.part >= 1
  const text = isSent
    ? t('import.reading', { name: step.name })
    : t('import.uploading', { name: step.name })
  return (
    <div className="flex flex-col gap-3 rounded-large border border-line bg-raised p-4">
      <p className="flex items-baseline gap-3">
        <bdi className="min-w-0 flex-1 truncate font-medium">{text}</bdi>
        {!isSent && (
          <span className="text-small text-muted tabular-nums">
            {formatShare(Math.floor(step.part * 100) / 100)}
          </span>
        )}
      </p>
      <ProgressBar label={text} value={isSent ? null : step.part} />
      <Button className="self-start" onClick={() => cancelUpload(store)}>
        {t('common.cancel')}
      </Button>
    </div>
  )
}

/** Error messages of unreadable parts; collapsed if there are many. */
function Problems({ problems }: { problems: readonly string[] }) {
  const { t } = useTranslation()
  if (problems.length === 0) return null
  return (
    <details
      open={problems.length <= 3}
      className="rounded-medium bg-warning-soft px-3 py-2 text-small text-warning"
    >
      <summary className="min-h-6 font-medium">
        <TriangleAlert className="me-1.5 inline size-4 align-text-bottom" />
        {t('import.problems', { count: problems.length })}
      </summary>
      <ul className="mt-1 max-h-60 list-disc overflow-y-auto ps-6">
        {problems.map((problem, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the list never changes and may contain duplicates
          <li key={index} className="wrap-anywhere">
            {problem}
          </li>
        ))}
      </ul>
    </details>
  )
}

function PreviewStep({
  store,
  step,
  canAddPrompts,
  onRun,
}: {
  store: ImportStore
  step: StepOf<'preview'>
  canAddPrompts: boolean
  onRun: () => void
}) {
  const { t } = useTranslation()
  const { archive, selection, problem } = step
  const offersPrompts = canAddPrompts && archive.prompts.length > 0
  const runsPrompts = offersPrompts && step.withPrompts
  return (
    <div className="flex flex-col gap-4">
      <FormProblem text={problem} />
      <p>
        {t('import.found', {
          source: t(`import.source.${archive.source}`),
          count: archive.chats.length,
        })}{' '}
        <span className="text-muted">
          {formatNames([
            t('import.messages', { count: countMessages(archive) }),
            t('import.folders', { count: archive.folder_count }),
            ...(archive.file_count > 0
              ? [
                  t('import.files', {
                    count: archive.file_count,
                    size: formatBytes(archive.file_bytes),
                  }),
                ]
              : []),
            ...(archive.prompts.length > 0
              ? [t('import.prompts', { count: archive.prompts.length })]
              : []),
          ])}
        </span>
      </p>
      <Problems problems={archive.problems} />
      {archive.chats.length > 0 && <ImportPreview store={store} step={step} />}
      {offersPrompts && <PromptsPreview store={store} step={step} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => void startOver(store).catch(toastError)}>
          {t('common.cancel')}
        </Button>
        <Button tone="primary" disabled={selection.size === 0 && !runsPrompts} onClick={onRun}>
          {selection.size === 0 && runsPrompts
            ? t('import.runPrompts')
            : t('import.run', { count: selection.size })}
        </Button>
      </div>
    </div>
  )
}

function RunStep({ store, step }: { store: ImportStore; step: StepOf<'running'> }) {
  const { t } = useTranslation()
  const text = t('import.running', { done: step.done, count: step.total })
  return (
    <div className="flex flex-col gap-3 rounded-large border border-line bg-raised p-4">
      <p className="font-medium tabular-nums">{text}</p>
      <ProgressBar label={text} value={step.total > 0 ? step.done / step.total : null} />
      <Button
        className="self-start"
        busy={step.isStopping}
        onClick={() => void stopImport(store).catch(toastError)}
      >
        {t('import.stop')}
      </Button>
    </div>
  )
}

function UndoButton({
  store,
  importId,
  count,
  onUndone,
}: {
  store: ImportStore
  importId: string
  count: number
  onUndone: () => void
}) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const undo = async (): Promise<void> => {
    setBusy(true)
    try {
      toast({ text: sayUndone(await undoImport(importId), t) })
      await startOver(store)
      onUndone()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      icon={<Undo2 className="size-4" />}
      busy={busy}
      onClick={() => void undo().catch(toastError)}
    >
      {count > 0 ? t('import.undo', { count }) : t('import.undoPrompts')}
    </Button>
  )
}

const OUTCOMES = ['created', 'updated', 'unchanged', 'failed'] as const

function DoneStep({
  store,
  step,
  onUndone,
}: {
  store: ImportStore
  step: StepOf<'done'>
  onUndone: (() => void) | null
}) {
  const { t } = useTranslation()
  const { result, archive } = step
  const rows = OUTCOMES.filter((name) => result[name] > 0)
  const promptRows = OUTCOMES.filter((name) => result.prompts[name] > 0)
  return (
    <div className="flex flex-col gap-4 rounded-large border border-line bg-raised p-4">
      <output className="flex items-center gap-2 font-medium">
        <CircleCheck className="size-5 text-accent" />
        {t(step.wasStopped ? 'import.stopped' : 'import.done')}
      </output>
      <ul className="flex flex-col gap-1">
        {rows.map((name) => (
          <li key={name} className={name === 'failed' ? 'text-danger' : ''}>
            {t(`import.result.${name}`, { count: result[name] })}
          </li>
        ))}
        {promptRows.map((name) => (
          <li key={`prompts-${name}`} className={name === 'failed' ? 'text-danger' : ''}>
            {t(`import.promptResult.${name}`, { count: result.prompts[name] })}
          </li>
        ))}
      </ul>
      <Problems problems={archive.problems} />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void startOver(store).catch(toastError)}>
          {t('import.another')}
        </Button>
        {onUndone && result.created + result.prompts.created > 0 && (
          <UndoButton
            store={store}
            importId={archive.import_id}
            count={result.created}
            onUndone={onUndone}
          />
        )}
      </div>
    </div>
  )
}

interface ImportAssistantProps {
  readonly store: ImportStore
  /** Called when chats were imported or an import was undone. */
  readonly onImported: () => void
  /** True if the user may move imported chats to the trash. */
  readonly canUndo: boolean
  /** True if the user may search for other programs on the gateway's computer. */
  readonly canSearch: boolean
  /** True if the user may import prompts into the library. */
  readonly canAddPrompts: boolean
}

/** Import of chats and prompts: file selection, preview, import, result. */
export function ImportAssistant({
  store,
  onImported,
  canUndo,
  canSearch,
  canAddPrompts,
}: ImportAssistantProps) {
  const step = useStore(store)
  const run = async (): Promise<void> => {
    await runImport(store, canAddPrompts)
    if (store.getState().kind === 'done') onImported()
  }
  switch (step.kind) {
    case 'choose':
      return (
        <>
          <ChooseStep store={store} problem={step.problem} canSearch={canSearch} />
          {canUndo && <EarlierImports onUndone={onImported} />}
        </>
      )
    case 'uploading':
      return <UploadStep store={store} step={step} />
    case 'preview':
      return (
        <PreviewStep
          store={store}
          step={step}
          canAddPrompts={canAddPrompts}
          onRun={() => void run()}
        />
      )
    case 'running':
      return <RunStep store={store} step={step} />
    case 'done':
      return <DoneStep store={store} step={step} onUndone={canUndo ? onImported : null} />
  }
}
