import { Download, Upload } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Prompt } from '#contract/prompts.ts'
import { downloadText } from '../../lib/download.ts'
import { translate } from '../../lib/i18n.ts'
import type { PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { useFileImport } from '../../ui/fields/file-import.ts'
import { PromptsPicture } from '../../ui/lists/empty-pictures.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { Rows } from '../../ui/lists/list-row.tsx'
import { byText } from '../../ui/lists/by-text.ts'
import { useListPage } from '../../ui/lists/use-list-page.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import { ChecksDialog, type CheckModel } from './checks/checks-dialog.tsx'
import { PromptEditor } from './prompt-editor.tsx'
import { PromptHistory } from './prompt-history.tsx'
import { PromptRow } from './prompt-row.tsx'
import {
  bringBackPrompt,
  type PromptsStore,
  removePrompt,
  textOf,
  togglePrompt,
} from './prompts-store.ts'
import { exportPrompts, importPrompts } from './transfer-prompts.ts'

/** The signed-in user's rights on prompts. */
export interface PromptRights {
  readonly create: boolean
  readonly import: boolean
  readonly export: boolean
  readonly openToAll: boolean
}

interface PromptsPageProps {
  readonly store: PromptsStore
  readonly rights: PromptRights
  readonly principals: PrincipalLoaders
  /** Models available for checking prompts. */
  readonly models: readonly CheckModel[]
}

type Sheet =
  | { readonly kind: 'edit'; readonly prompt: Prompt | null; readonly isCopy?: boolean }
  | { readonly kind: 'example' }
  | { readonly kind: 'history'; readonly prompt: Prompt }
  | { readonly kind: 'checks'; readonly prompt: Prompt }

async function remove(store: PromptsStore, prompt: Prompt): Promise<void> {
  try {
    await removePrompt(store, prompt)
    toast({
      text: translate('prompts.deleted', { name: prompt.name }),
      action: {
        label: translate('common.undo'),
        onSelect: () => void bringBackPrompt(store, prompt).catch(toastError),
      },
    })
  } catch (thrown) {
    toastError(thrown)
  }
}

function MoreItems({
  store,
  rights,
  onImport,
}: {
  store: PromptsStore
  rights: PromptRights
  onImport: () => void
}) {
  const { t } = useTranslation()
  const prompts = useStore(store, (state) => state.items)
  return (
    <>
      {rights.create && rights.import && (
        <MenuItem icon={<Upload />} onSelect={onImport}>
          {t('prompts.import')}
        </MenuItem>
      )}
      {rights.export && prompts.length > 0 && (
        <MenuItem
          icon={<Download />}
          onSelect={() => downloadText('prompts.json', exportPrompts(prompts), 'application/json')}
        >
          {t('prompts.export')}
        </MenuItem>
      )}
    </>
  )
}

interface ListProps extends PromptsPageProps {
  readonly shown: readonly Prompt[]
  readonly onOpen: (sheet: Sheet) => void
}

function List({ store, rights, shown, onOpen }: ListProps) {
  const { t } = useTranslation()
  return (
    <Rows label={t('prompts.title')}>
      {shown.map((prompt) => (
        <PromptRow
          key={prompt.id}
          prompt={prompt}
          canCopy={rights.create}
          canExport={rights.export}
          onEdit={() => onOpen({ kind: 'edit', prompt })}
          onCopy={() => onOpen({ kind: 'edit', prompt, isCopy: true })}
          onHistory={() => onOpen({ kind: 'history', prompt })}
          onChecks={() => onOpen({ kind: 'checks', prompt })}
          onToggle={() => void togglePrompt(store, prompt.id).catch(toastError)}
          onExport={() =>
            downloadText(
              `${prompt.command.replace(/^\//, '')}.json`,
              exportPrompts([prompt]),
              'application/json',
            )
          }
          onRemove={() => void remove(store, prompt)}
        />
      ))}
    </Rows>
  )
}

function Sheets({
  store,
  rights,
  principals,
  models,
  sheet,
  onClose,
}: PromptsPageProps & { sheet: Sheet; onClose: () => void }) {
  if (sheet.kind === 'history')
    return <PromptHistory store={store} promptId={sheet.prompt.id} onClose={onClose} />
  if (sheet.kind === 'checks')
    return <ChecksDialog prompt={sheet.prompt} models={models} onClose={onClose} />
  return (
    <PromptEditor
      store={store}
      prompt={sheet.kind === 'edit' ? sheet.prompt : null}
      isCopy={sheet.kind === 'edit' && sheet.isCopy === true}
      isExample={sheet.kind === 'example'}
      principals={principals}
      mayOpenToAll={rights.openToAll}
      onClose={onClose}
    />
  )
}

const ORDERS = {
  name: byText(({ name }: Prompt) => name),
  changed: (left: Prompt, right: Prompt) => right.updated_at - left.updated_at,
}

/** The prompt library: the prompts of all slash commands. */
export function PromptsPage(props: PromptsPageProps) {
  const { store, rights } = props
  const { t } = useTranslation()
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const list = useListPage({
    store,
    textOf,
    orders: ORDERS,
    tagsOf: ({ tags }) => tags,
    labels: {
      failed: t('prompts.loadFailed'),
      search: t('prompts.search'),
      tags: t('prompts.tags'),
    },
  })
  const importing = useFileImport(async (file) => {
    const { added, skipped } = await importPrompts(store, await file.text())
    return t('prompts.imported', { count: added, skipped })
  })
  const hasMore = (rights.create && rights.import) || (rights.export && list.items.length > 0)
  return (
    <>
      {importing.input}
      <ListPage
        {...list.page}
        text={t('prompts.text')}
        primary={
          rights.create
            ? {
                label: t('prompts.create'),
                onSelect: () => setSheet({ kind: 'edit', prompt: null }),
              }
            : null
        }
        more={hasMore && <MoreItems store={store} rights={rights} onImport={importing.open} />}
        isMoreBusy={importing.isBusy}
        empty={{
          picture: <PromptsPicture />,
          title: t('prompts.none'),
          text: rights.create ? t('prompts.noneHint') : t('prompts.noneShared'),
          onExample: () => setSheet({ kind: 'example' }),
        }}
        noMatch={t('prompts.noMatch')}
      >
        <List {...props} shown={list.shown} onOpen={setSheet} />
      </ListPage>
      {sheet && <Sheets {...props} sheet={sheet} onClose={() => setSheet(null)} />}
    </>
  )
}
