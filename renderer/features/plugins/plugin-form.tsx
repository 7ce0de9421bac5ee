import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { PluginReport } from '#contract/plugins.ts'
import { useAction } from '../../api/use-action.ts'
import { dropDraft, findDraft, keepDraft, settleDraft } from '../../lib/drafts.ts'
import { matchesAccelerator } from '../../lib/accelerator.ts'
import { AccessPicker } from '../../ui/access/access-picker.tsx'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { saveKnown } from '../../ui/dialogs/changed-elsewhere.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { fieldsOf } from '../../ui/fields/fields-of.ts'
import { toast } from '../../ui/floating/toast.tsx'
import type { WantedLine } from './code-editor.tsx'
import { followTitle, readFrontMatter } from './front-matter.ts'
import { ImportButtons } from './import-buttons.tsx'
import { PackageOffer } from './package-offer.tsx'
import type { PluginEditorProps } from './plugin-editor-props.ts'
import {
  inspectSource,
  missingPackages,
  type PluginDraft,
  type PluginSource,
  type StoredPlugin,
  toPluginId,
  toSource,
} from './plugin-kinds.ts'
import { ReportView } from './report-view.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'

const CodeEditor = lazyPart(() => import('./code-editor.tsx'), 'CodeEditor')

interface PluginFormProps extends PluginEditorProps {
  readonly title: string
  readonly stored: StoredPlugin
  /** Source line to show. */
  readonly wanted: WantedLine | null
  readonly onStored: (saved: StoredPlugin) => void
}

interface HeadProps {
  readonly title: string
  readonly kind: StoredPlugin['type'] | null
  readonly isChanged: boolean
  readonly isChecking: boolean
  readonly isSaving: boolean
  readonly onDiscard: () => void
  readonly onCheck: () => void
}

/** Title and buttons, which stay visible above a long source. */
function Head({ title, kind, isChanged, isChecking, isSaving, onDiscard, onCheck }: HeadProps) {
  const { t } = useTranslation()
  return (
    <div className="sticky top-0 z-10 -mx-2 flex flex-wrap items-center gap-x-3 gap-y-2 bg-page px-2 py-3">
      <div className="flex min-w-0 flex-1 basis-24 flex-wrap sm:basis-64 items-center gap-x-2.5 gap-y-1">
        <h1 className="min-w-0 truncate text-head-2 font-semibold tracking-[-0.01em]">
          <bdi>{title}</bdi>
        </h1>
        {kind && <Badge>{t(`plugins.kind.${kind}`)}</Badge>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {isChanged && (
          <>
            <span className="text-small text-muted max-sm:hidden">
              {t('plugins.editor.unsaved')}
            </span>
            <Button tone="quiet" onClick={onDiscard}>
              {t('plugins.editor.discard')}
            </Button>
          </>
        )}
        <Button busy={isChecking} onClick={onCheck}>
          {t('plugins.editor.check')}
        </Button>
        <Button tone="primary" type="submit" busy={isSaving}>
          {t('common.save')}
        </Button>
      </div>
    </div>
  )
}

interface NamesProps {
  readonly draft: PluginSource
  readonly isNew: boolean
  readonly onChange: (values: Partial<PluginSource>) => void
}

function Names({ draft, isNew, onChange }: NamesProps) {
  const { t } = useTranslation()
  const field = fieldsOf(draft, onChange)
  const madeId = toPluginId(draft.name)
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1.5fr)_minmax(0,3fr)]">
      <TextField label={t('plugins.editor.name')} {...field('name')} required dir="auto" />
      <TextField
        label={t('plugins.editor.id')}
        hint={isNew ? t('plugins.editor.idHint') : undefined}
        {...field('id')}
        placeholder={madeId}
        required={isNew && madeId === ''}
        disabled={!isNew}
        dir="ltr"
        spellCheck={false}
      />
      <TextField
        label={t('plugins.editor.description')}
        {...field('description')}
        placeholder={readFrontMatter(draft.content).description}
        dir="auto"
      />
    </div>
  )
}

/** Scrolls a report into view when it arrives. */
function ShownReport({ report }: { report: PluginReport }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [report])
  return (
    <div ref={place} className="scroll-mt-20">
      <ReportView report={report} />
    </div>
  )
}

function useDraft({ drafts, id, stored }: Pick<PluginFormProps, 'drafts' | 'id' | 'stored'>) {
  const kept = useStore(drafts, (state) => findDraft(state, id))
  const draft: PluginDraft = kept ?? { ...toSource(stored), base: stored }
  return {
    draft,
    isChanged: kept !== undefined,
    change: (values: Partial<PluginSource>): void => keepDraft(drafts, id, { ...draft, ...values }),
    discard: (): void => dropDraft(drafts, id),
  }
}

/** Submits the form on the usual save shortcut, regardless of the focus. */
function useSaveKeys(isBusy: boolean) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if (!matchesAccelerator(event, 'CmdOrCtrl+S')) return
      event.preventDefault()
      if (!isBusy) form.current?.requestSubmit()
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [isBusy])
  return form
}

/** Name, source and access of a plugin, with a check before they are saved. */
export function PluginForm(props: PluginFormProps) {
  const { calls, id, admin, title, stored, wanted, principals, mayOpenToAll, onStored } = props
  const { t } = useTranslation()
  const { draft, isChanged, change, discard } = useDraft(props)
  const [report, setReport] = useState<PluginReport | null>(null)
  const isNew = id === ''
  const inspection = useAction(async () =>
    setReport(await inspectSource(calls.store, draft.content)),
  )
  const [missing, setMissing] = useState<readonly string[]>([])
  const saving = useAction(async (installed: readonly string[] | void) => {
    const requirements = [
      ...new Set([...stored.requirements, ...draft.requirements, ...(installed ?? [])]),
    ]
    const source = {
      ...draft,
      requirements,
      id: isNew ? draft.id.trim() || toPluginId(draft.name) : stored.id,
    }
    setMissing([])
    const { newest: saved, isMine } = await saveKnown<StoredPlugin>({
      known: draft.base,
      save: (base) => (isNew ? calls.create(source) : calls.update(source, base?.updatedAt)),
      readNewest: () => calls.read(source.id),
      toForm: toSource,
      textOf: ({ content }) => content,
    }).catch((thrown: unknown) => {
      // Packages installed for a source that needs more still belong to it.
      if (installed) change({ requirements })
      setMissing(missingPackages(thrown))
      throw thrown
    })
    settleDraft(props.drafts, id, draft, { id: saved.id, base: saved })
    if (isMine) toast({ text: t('plugins.editor.saved', { name: saved.name }) })
    onStored(saved)
  })
  // A new plugin takes its source's title until the user types a name.
  const changeSource = (content: string): void =>
    change({ content, ...(isNew && { name: followTitle(draft.name, draft.content, content) }) })
  const form = useSaveKeys(saving.busy)
  return (
    <form ref={form} onSubmit={saving.handleSubmit} className="mb-10 flex flex-col gap-4">
      <Head
        title={title}
        kind={isNew ? null : stored.type}
        isChanged={isChanged}
        isChecking={inspection.busy}
        isSaving={saving.busy}
        onDiscard={() => {
          discard()
          setReport(null)
        }}
        onCheck={() => void inspection.run()}
      />
      {isNew && (
        <ImportButtons
          calls={calls}
          mayFetch={admin}
          onRead={(name, content) => {
            change({ content, name: followTitle(draft.name, draft.content, content) || name })
            setReport(null)
          }}
        />
      )}
      <FormProblem text={saving.problem ?? inspection.problem} />
      {missing.length > 0 && (
        <PackageOffer
          key={missing.join()}
          store={calls.store}
          packages={missing}
          read={() => Promise.resolve(draft)}
          onInstalled={(requirements) => void saving.run(requirements)}
        />
      )}
      {report && <ShownReport report={report} />}
      <Names draft={draft} isNew={isNew} onChange={change} />
      <Suspense
        fallback={
          <div className="h-[min(34rem,60dvh)] animate-late rounded-medium border border-line bg-hover" />
        }
      >
        <CodeEditor
          label={t('plugins.editor.source')}
          value={draft.content}
          onChange={changeSource}
          wanted={wanted}
        />
      </Suspense>
      <p className="text-small text-pretty text-muted">{t('plugins.editor.warning')}</p>
      {calls.store === 'tool' && (
        <FoldOut title={t('access.title')}>
          <div className="mt-2 max-w-2xl">
            <AccessPicker
              grants={draft.grants}
              loaders={principals}
              mayOpenToAll={mayOpenToAll}
              onChange={(grants) => change({ grants })}
            />
          </div>
        </FoldOut>
      )}
    </form>
  )
}
