import '../../lib/strings/model-editor.ts'
import { ArrowLeft, Play } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Model, ModelRow } from '#contract/models.ts'
import { useAction } from '../../api/use-action.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { workspacePath } from '../../lib/router.ts'
import { type Drafts, dropDraft, findDraft, keepDraft, settleDraft } from '../../lib/drafts.ts'
import { useMedia } from '../../lib/use-media.ts'
import { AccessPicker, type PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import {
  type CatalogueState,
  type CatalogueStore,
  findRow,
  idsOf,
  loadCatalogue,
  saveDraft,
} from './catalogue-store.ts'
import {
  BasicsSection,
  CapabilitiesSection,
  DetailsSection,
  ParametersSection,
  SuggestionsSection,
} from './editor-sections.tsx'
import { JsonDialog } from './json-dialog.tsx'
import {
  EMPTY_DRAFT,
  isSameDraft,
  type ModelDraft,
  suggestFreeId,
  toBaseDraft,
  toDraft,
} from './model-draft.ts'
import { PluginsSection } from './plugins-section.tsx'
import { PreviewDialog, PreviewPane, type StreamAnswer, usePreview } from './preview-pane.tsx'

interface ModelEditorProps {
  readonly store: CatalogueStore
  readonly drafts: Drafts<ModelDraft>
  /** Model id; empty for a new model. */
  readonly id: string
  readonly admin: boolean
  readonly mayOpenToAll: boolean
  /** Models available as a base. */
  readonly available: readonly Model[]
  readonly principals: PrincipalLoaders
  readonly stream: StreamAnswer
  /** Renders the picker for the model's documents. */
  readonly pickKnowledge: (
    value: unknown,
    onChange: (entries: readonly unknown[]) => void,
  ) => ReactNode
  readonly onSaved: (row: ModelRow) => void
}

/** Returns the initial form; null if the model does not exist. */
function startOf(state: CatalogueState, id: string): ModelDraft | null {
  if (id === '') return EMPTY_DRAFT
  const row = findRow(state, id)
  if (row) return toDraft(row)
  const base = state.bases.find((model) => model.id === id)
  return base ? toBaseDraft(base) : null
}

const BackLink = () => {
  const { t } = useTranslation()
  return (
    <a
      href={workspacePath('models')}
      onClick={handleLink}
      className="mb-4 -ms-2 inline-flex h-control items-center gap-2 rounded-medium px-2 text-muted no-underline hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
    >
      <ArrowLeft className="size-4 rtl:-scale-x-100" />
      {t('modelEditor.editor.back')}
    </a>
  )
}

interface FormProps extends ModelEditorProps {
  readonly start: ModelDraft
}

interface SaveBarProps {
  readonly isChanged: boolean
  readonly busy: boolean
  readonly onDiscard: () => void
  /** Opens the preview if there is no room for it beside the form. */
  readonly onTry: (() => void) | null
}

function SaveBar({ isChanged, busy, onDiscard, onTry }: SaveBarProps) {
  const { t } = useTranslation()
  return (
    <div className="sticky bottom-0 z-10 -mx-2 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-page px-2 py-3">
      {onTry && (
        <Button icon={<Play className="size-4" />} onClick={onTry} className="me-auto">
          {t('models.preview.open')}
        </Button>
      )}
      {isChanged && (
        <>
          <span className="text-small text-muted max-sm:hidden">
            {t('modelEditor.editor.unsaved')}
          </span>
          <Button onClick={onDiscard}>{t('modelEditor.editor.discard')}</Button>
        </>
      )}
      <Button tone="primary" type="submit" busy={busy} disabled={!isChanged}>
        {t('common.save')}
      </Button>
    </div>
  )
}

interface AccessProps extends Pick<ModelEditorProps, 'mayOpenToAll' | 'principals'> {
  readonly draft: ModelDraft
  readonly onChange: (part: Partial<ModelDraft>) => void
}

function AccessSection({ draft, onChange, mayOpenToAll, principals }: AccessProps) {
  const { t } = useTranslation()
  return (
    <PageSection
      title={t('access.title')}
      text={draft.baseId === null ? undefined : t('modelEditor.editor.accessText')}
    >
      <div className="flex flex-col gap-5">
        <Switch
          label={t('modelEditor.editor.active')}
          hint={t('modelEditor.editor.activeHint')}
          checked={draft.isActive}
          onChange={(isActive) => onChange({ isActive })}
        />
        <AccessPicker
          grants={draft.grants}
          loaders={principals}
          mayOpenToAll={mayOpenToAll}
          onChange={(grants) => onChange({ grants })}
        />
      </div>
    </PageSection>
  )
}

/** The preview needs this width to stand beside the form. */
const TOO_NARROW = '(width < 64rem)'

interface TryOutProps {
  readonly draft: ModelDraft
  readonly stream: StreamAnswer
  readonly remark: string | null
  readonly isNarrow: boolean
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The preview beside the form, or in a dialog on narrow windows; the form keeps its answers. */
function TryOut({ draft, stream, remark, isNarrow, isOpen, onClose }: TryOutProps) {
  const preview = usePreview(draft, stream)
  if (!isNarrow) return <PreviewPane draft={draft} preview={preview} remark={remark} />
  return isOpen ? (
    <PreviewDialog draft={draft} preview={preview} remark={remark} onClose={onClose} />
  ) : null
}

function Form({
  store,
  drafts,
  id,
  start,
  mayOpenToAll,
  available,
  principals,
  stream,
  pickKnowledge,
  onSaved,
}: FormProps) {
  const { t } = useTranslation()
  const kept = useStore(drafts, (state) => findDraft(state, id))
  const catalogue = useStore(store)
  const [opened, setOpened] = useState<'json' | 'preview' | null>(null)
  const isNarrow = useMedia(TOO_NARROW)
  const draft = kept ?? start
  const isNew = id === ''
  const isChanged = kept !== undefined && !isSameDraft(kept, start)
  const keep = (next: ModelDraft): void => keepDraft(drafts, id, next)
  const change = (part: Partial<ModelDraft>): void => keep({ ...draft, ...part })
  const bases = available.filter(
    (model) => model.preset !== true && model.arena !== true && model.id !== id,
  )
  const taken = idsOf(catalogue, available)
  const saving = useAction(async () => {
    const { newest: row, isMine } = await saveDraft(store, draft, { isNew, taken })
    settleDraft(drafts, id, draft, { id: row.id, base: row })
    if (isMine) toast({ text: t('modelEditor.editor.saved', { name: row.name }) })
    onSaved(row)
  })
  const stored = findRow(catalogue, id)
  const hasStoredWords =
    draft.baseId === null && typeof stored?.params['system'] === 'string' && isChanged
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,24rem)]">
      <form onSubmit={saving.handleSubmit} className="min-w-0">
        <BasicsSection draft={draft} onChange={change} bases={bases} />
        <DetailsSection
          draft={draft}
          onChange={change}
          isNew={isNew}
          suggestedId={suggestFreeId(draft.name, taken)}
          onJson={() => setOpened('json')}
        />
        <ParametersSection draft={draft} onChange={change} />
        <PageSection
          title={t('modelEditor.editor.knowledge')}
          text={t('modelEditor.editor.knowledgeText')}
        >
          {pickKnowledge(draft.otherMeta['knowledge'], (knowledge) =>
            change({ otherMeta: { ...draft.otherMeta, knowledge } }),
          )}
        </PageSection>
        <PluginsSection draft={draft} onChange={change} />
        <CapabilitiesSection draft={draft} onChange={change} />
        <SuggestionsSection draft={draft} onChange={change} />
        <AccessSection
          draft={draft}
          onChange={change}
          mayOpenToAll={mayOpenToAll}
          principals={principals}
        />
        <FormProblem text={saving.problem} />
        <SaveBar
          isChanged={isChanged}
          busy={saving.busy}
          onDiscard={() => dropDraft(drafts, id)}
          onTry={isNarrow ? () => setOpened('preview') : null}
        />
      </form>
      <TryOut
        draft={draft}
        stream={stream}
        remark={hasStoredWords ? t('models.preview.storedWords') : null}
        isNarrow={isNarrow}
        isOpen={opened === 'preview'}
        onClose={() => setOpened(null)}
      />
      {opened === 'json' && (
        <JsonDialog
          draft={draft}
          onClose={() => setOpened(null)}
          onApply={(next) => {
            setOpened(null)
            keep(next)
          }}
        />
      )}
    </div>
  )
}

/** Creates or edits a model, with a preview chat beside the form that uses the unsaved changes. */
export function ModelEditor(props: ModelEditorProps) {
  const { store, id, admin } = props
  const { t } = useTranslation()
  const state = useStore(store)
  useEffect(() => void loadCatalogue(store, { admin }), [store, admin])
  const start = startOf(state, id)
  const title = id === '' ? t('models.create') : (start?.name ?? id)
  return (
    <>
      <BackLink />
      <h1 className="mb-6 text-head-2 font-semibold tracking-[-0.01em] wrap-anywhere">
        <bdi>{title}</bdi>
      </h1>
      {start && <Form key={id} {...props} start={start} />}
      {!start && state.status === 'loading' && <PageWait />}
      {!start && state.status === 'failed' && (
        <EmptyState
          title={t('models.loadFailed')}
          action={
            <Button onClick={() => void loadCatalogue(store, { admin })}>
              {t('common.retry')}
            </Button>
          }
        >
          {state.problem}
        </EmptyState>
      )}
      {!start && state.status === 'ready' && (
        <EmptyState title={t('modelEditor.editor.gone')}>
          {t('modelEditor.editor.goneHint')}
        </EmptyState>
      )}
    </>
  )
}
