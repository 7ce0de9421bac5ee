import { Download, Plus, Search, SquareSlash, Upload } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Prompt } from '#contract/prompts.ts'
import { toSentence } from '../../api/api-error.ts'
import { downloadText } from '../../lib/download.ts'
import { translate } from '../../lib/i18n.ts'
import type { PrincipalLoaders } from '../../ui/access-picker.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { TagFilter } from '../../ui/tag-filter.tsx'
import { toast } from '../../ui/toast.tsx'
import { PromptEditor } from './prompt-editor.tsx'
import { PromptHistory } from './prompt-history.tsx'
import { PromptRow } from './prompt-row.tsx'
import {
  bringBackPrompt,
  filterPrompts,
  loadPrompts,
  type PromptsStore,
  removePrompt,
  tagsOf,
  togglePrompt,
} from './prompts-store.ts'
import { exportPrompts, importPrompts } from './transfer-prompts.ts'

/** What the signed-in person may do with prompts. */
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
}

type Sheet =
  | { readonly kind: 'edit'; readonly prompt: Prompt | null; readonly isCopy?: boolean }
  | { readonly kind: 'history'; readonly prompt: Prompt }

const tell = (thrown: unknown): void => toast({ tone: 'danger', text: toSentence(thrown) })

async function remove(store: PromptsStore, prompt: Prompt): Promise<void> {
  try {
    await removePrompt(store, prompt)
    toast({
      text: translate('prompts.deleted', { name: prompt.name }),
      action: {
        label: translate('common.undo'),
        onSelect: () => void bringBackPrompt(store, prompt).catch(tell),
      },
    })
  } catch (thrown) {
    tell(thrown)
  }
}

function ImportButton({ store }: { store: PromptsStore }) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = event.target.files?.[0]
    event.target.value = ''
    if (!file) return
    setBusy(true)
    try {
      const { added, skipped } = await importPrompts(store, await file.text())
      toast({ text: t('prompts.imported', { count: added, skipped }) })
    } catch (thrown) {
      tell(thrown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        onChange={(event) => void read(event)}
      />
      <Button
        icon={<Upload className="size-4" />}
        busy={busy}
        onClick={() => input.current?.click()}
      >
        {t('prompts.import')}
      </Button>
    </>
  )
}

function Buttons({
  store,
  rights,
  onNew,
}: {
  store: PromptsStore
  rights: PromptRights
  onNew: () => void
}) {
  const { t } = useTranslation()
  const prompts = useStore(store, (state) => state.prompts)
  return (
    <div className="flex flex-wrap gap-2">
      {rights.create && rights.import && <ImportButton store={store} />}
      {rights.export && prompts.length > 0 && (
        <Button
          icon={<Download className="size-4" />}
          onClick={() => downloadText('prompts.json', exportPrompts(prompts), 'application/json')}
        >
          {t('prompts.export')}
        </Button>
      )}
      {rights.create && (
        <Button
          tone="primary"
          className="h-control!"
          icon={<Plus className="size-4" />}
          onClick={onNew}
        >
          {t('prompts.create')}
        </Button>
      )}
    </div>
  )
}

interface ListProps extends PromptsPageProps {
  readonly onOpen: (sheet: Sheet) => void
}

function List({ store, rights, onOpen }: ListProps) {
  const { t } = useTranslation()
  const prompts = useStore(store, (state) => state.prompts)
  const [query, setQuery] = useState('')
  const [tag, setTag] = useState<string | null>(null)
  const tags = tagsOf(prompts)
  const shown = filterPrompts(prompts, query, tag !== null && tags.includes(tag) ? tag : null)
  return (
    <div className="flex flex-col gap-3">
      <SearchBox label={t('prompts.search')} value={query} onChange={setQuery} />
      <TagFilter label={t('prompts.tags')} tags={tags} value={tag} onChange={setTag} />
      {shown.length === 0 ? (
        <EmptyState icon={<Search />} title={t('prompts.noMatch')} />
      ) : (
        <ul
          aria-label={t('prompts.title')}
          className="divide-y divide-line rounded-large border border-line bg-raised"
        >
          {shown.map((prompt) => (
            <PromptRow
              key={prompt.id}
              prompt={prompt}
              canCopy={rights.create}
              canExport={rights.export}
              onEdit={() => onOpen({ kind: 'edit', prompt })}
              onCopy={() => onOpen({ kind: 'edit', prompt, isCopy: true })}
              onHistory={() => onOpen({ kind: 'history', prompt })}
              onToggle={() => void togglePrompt(store, prompt.id).catch(tell)}
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
        </ul>
      )}
    </div>
  )
}

/** The prompt library: what stands behind each slash command. */
export function PromptsPage(props: PromptsPageProps) {
  const { store, rights, principals } = props
  const { t } = useTranslation()
  const { prompts, status, problem } = useStore(store)
  const [sheet, setSheet] = useState<Sheet | null>(null)
  useEffect(() => void loadPrompts(store), [store])
  const create = (): void => setSheet({ kind: 'edit', prompt: null })
  const hasNone = status === 'ready' && prompts.length === 0
  return (
    <>
      <div className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <p className="max-w-prose min-w-0 flex-1 basis-64 text-pretty text-muted">
          {t('prompts.text')}
        </p>
        <Buttons store={store} rights={rights} onNew={create} />
      </div>
      {(status === 'loading' || status === 'idle') && prompts.length === 0 && (
        <Spinner className="mx-auto my-8" />
      )}
      {status === 'failed' && (
        <EmptyState
          title={t('prompts.loadFailed')}
          action={<Button onClick={() => void loadPrompts(store)}>{t('common.retry')}</Button>}
        >
          {problem}
        </EmptyState>
      )}
      {hasNone && (
        <div className="rounded-large border border-line">
          <EmptyState
            icon={<SquareSlash />}
            title={t('prompts.none')}
            action={rights.create && <Button onClick={create}>{t('prompts.createFirst')}</Button>}
          >
            {rights.create ? t('prompts.noneHint') : t('prompts.noneShared')}
          </EmptyState>
        </div>
      )}
      {prompts.length > 0 && <List {...props} onOpen={setSheet} />}
      {sheet?.kind === 'edit' && (
        <PromptEditor
          store={store}
          prompt={sheet.prompt}
          isCopy={sheet.isCopy === true}
          principals={principals}
          mayOpenToAll={rights.openToAll}
          onClose={() => setSheet(null)}
        />
      )}
      {sheet?.kind === 'history' && (
        <PromptHistory store={store} promptId={sheet.prompt.id} onClose={() => setSheet(null)} />
      )}
    </>
  )
}
