import '../../lib/strings/files.ts'
import '../../lib/strings/knowledge.ts'
import { ArrowLeft, Download, Eraser, RefreshCw, Trash2 } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { KnowledgeRecord } from '#contract/knowledge.ts'
import { downloadFrom } from '../../lib/download.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { workspacePath } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx'
import { MoreMenu } from '../../ui/floating/more-menu.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { loadCollection, reindexCollection, resetCollection } from './collection-store.ts'
import { CollectionSummary } from './collection-summary.tsx'
import { DetailsTab } from './details-tab.tsx'
import { FilesTab } from './files-tab.tsx'
import { QuestionTab } from './question-tab.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { withBase } from '../../lib/base-path.ts'
import type { CollectionPageProps } from './collection-page-props.ts'

const TABS = ['files', 'question', 'access'] as const

const exportPath = (id: string): string =>
  withBase(`/api/v1/knowledge/${encodeURIComponent(id)}/export`)

interface ActionsProps {
  readonly collection: KnowledgeRecord
  readonly admin: boolean
  readonly onReindex: () => void
  readonly onReset: () => void
  readonly onRemove: () => void
}

function Actions({ collection, admin, onReindex, onReset, onRemove }: ActionsProps) {
  const { t } = useTranslation()
  const { id, file_count: count, write_access: mayChange } = collection
  if (!mayChange && !admin) return null
  return (
    <MoreMenu label={t('knowledge.actions')}>
      <MenuItem icon={<RefreshCw />} disabled={count === 0} onSelect={onReindex}>
        {t('knowledge.reindex')}
      </MenuItem>
      {admin && (
        <MenuItem
          icon={<Download />}
          disabled={count === 0}
          onSelect={() => downloadFrom(exportPath(id))}
        >
          {t('knowledge.export')}
        </MenuItem>
      )}
      <MenuItem icon={<Eraser />} disabled={count === 0} onSelect={onReset}>
        {t('knowledge.reset')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 />} onSelect={onRemove}>
        {t('knowledge.remove')}
      </MenuItem>
    </MoreMenu>
  )
}

function Parts({ collection, ...props }: CollectionPageProps & { collection: KnowledgeRecord }) {
  const { t } = useTranslation()
  const shown = TABS.filter((tab) => tab !== 'access' || collection.write_access)
  return (
    <Tabs.Root defaultValue="files">
      <Tabs.List
        aria-label={t('knowledge.tabs.label')}
        className="mb-4 flex gap-4 overflow-x-auto border-b border-line"
      >
        {shown.map((tab) => (
          <Tabs.Trigger
            key={tab}
            value={tab}
            className="-mb-px h-control shrink-0 border-b-2 border-transparent px-0.5 font-medium text-muted hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink pointer-coarse:min-h-11"
          >
            {t(`knowledge.tabs.${tab}`)}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value="files" tabIndex={-1} className="outline-none">
        <FilesTab {...props} collection={collection} />
      </Tabs.Content>
      <Tabs.Content value="question" tabIndex={-1} className="outline-none">
        <QuestionTab
          collectionId={collection.id}
          isEmpty={collection.file_count === 0}
          onOpenDocument={props.onOpenDocument}
        />
      </Tabs.Content>
      {collection.write_access && (
        <Tabs.Content value="access" tabIndex={-1} className="outline-none">
          <DetailsTab
            store={props.session.store}
            collection={collection}
            principals={props.principals}
            mayOpenToAll={props.mayOpenToAll}
          />
        </Tabs.Content>
      )}
    </Tabs.Root>
  )
}

function Loaded(props: CollectionPageProps & { collection: KnowledgeRecord }) {
  const { t } = useTranslation()
  const { session, admin, collection, onRemove } = props
  const { id, name, description } = collection
  const [asked, setAsked] = useState<'reset' | 'remove' | null>(null)
  const reindex = async (): Promise<void> => {
    try {
      await reindexCollection(session.store)
      toast({ text: t('knowledge.reindexed') })
    } catch (thrown) {
      toastError(thrown)
    }
  }
  const reset = (): void => {
    setAsked(null)
    void resetCollection(session.store).catch(toastError)
  }
  return (
    <>
      <div className="flex items-start gap-2">
        <h1 className="min-w-0 flex-1 text-head-2 font-semibold tracking-[-0.01em] wrap-anywhere">
          <bdi>{name}</bdi>
        </h1>
        <Actions
          collection={collection}
          admin={admin}
          onReindex={() => void reindex()}
          onReset={() => setAsked('reset')}
          onRemove={() => setAsked('remove')}
        />
      </div>
      {description && (
        <p dir="auto" className="mt-1 max-w-prose text-pretty wrap-anywhere text-muted">
          {description}
        </p>
      )}
      <CollectionSummary files={collection.files ?? []} into={session.into} />
      {!collection.write_access && (
        <p className="mt-1 text-small text-muted">{t('knowledge.readOnly')}</p>
      )}
      <div className="mt-4">
        <Parts {...props} />
      </div>
      <ConfirmDialog
        open={asked === 'reset'}
        danger
        onClose={() => setAsked(null)}
        title={t('knowledge.resetTitle', { name })}
        description={t('knowledge.resetText')}
        confirmLabel={t('knowledge.reset')}
        onConfirm={reset}
      />
      {asked === 'remove' && (
        <RemoveDialog
          collection={collection}
          onRemove={(files) => onRemove(id, files)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

/** One collection: its files, a test search, and its access settings. */
export function CollectionPage(props: CollectionPageProps) {
  const { session } = props
  const { t } = useTranslation()
  const { collection, status, problem } = useStore(session.store)
  useEffect(() => void loadCollection(session.store, session.id), [session])
  return (
    <div className="mx-auto max-w-4xl">
      <a
        href={workspacePath('knowledge')}
        onClick={handleLink}
        className="mb-4 -ms-2 inline-flex h-control items-center gap-2 rounded-medium px-2 text-muted no-underline hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
      >
        <ArrowLeft className="size-4 rtl:-scale-x-100" />
        {t('knowledge.back')}
      </a>
      {status === 'loading' && <PageWait />}
      {(status === 'gone' || status === 'failed') && (
        <EmptyState
          title={status === 'gone' ? t('knowledge.gone') : t('knowledge.openFailed')}
          action={
            status === 'failed' && (
              <Button onClick={() => void loadCollection(session.store, session.id)}>
                {t('common.retry')}
              </Button>
            )
          }
        >
          {status === 'gone' ? t('knowledge.goneHint') : problem}
        </EmptyState>
      )}
      {status === 'ready' && collection && <Loaded {...props} collection={collection} />}
    </div>
  )
}
