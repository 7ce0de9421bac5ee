import { Brain, Pencil, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Memory } from '#contract/memories.ts'
import { toSentence } from '../../api/api-error.ts'
import { useAction } from '../../api/use-action.ts'
import { formatDay } from '../../lib/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { InlineEditor } from '../../ui/inline-editor.tsx'
import { PageSection } from '../../ui/page-section.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextArea } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import {
  addMemory,
  changeMemory,
  loadMemories,
  type MemoriesStore,
  removeAllMemories,
  removeMemory,
} from './memories-store.ts'

interface MemoriesPageProps {
  readonly store: MemoriesStore
  /** False where an administrator has switched memories off. */
  readonly offered: boolean
  /** Whether they are told to models. */
  readonly used: boolean
  readonly onUse: (used: boolean) => void
}

const LONGEST = 20_000
const tell = (thrown: unknown): void => toast({ tone: 'danger', text: toSentence(thrown) })

function MemoryRow({ store, memory }: { store: MemoriesStore; memory: Memory }) {
  const { t } = useTranslation()
  const [isEditing, setEditing] = useState(false)
  const save = (content: string): void => {
    setEditing(false)
    changeMemory(store, memory, content).catch(tell)
  }
  const remove = async (): Promise<void> => {
    try {
      await removeMemory(store, memory)
      const bringBack = (): void => void addMemory(store, memory.content).catch(tell)
      toast({
        text: t('memories.deleted'),
        action: { label: t('common.undo'), onSelect: bringBack },
      })
    } catch (thrown) {
      tell(thrown)
    }
  }
  const date =
    memory.updated_at > memory.created_at
      ? t('memories.changedOn', { day: formatDay(memory.updated_at) })
      : t('memories.addedOn', { day: formatDay(memory.created_at) })
  return (
    <li className="flex items-start gap-2 py-2.5 ps-4 pe-2">
      <span className="min-w-0 flex-1">
        {isEditing ? (
          <InlineEditor
            label={t('memories.content')}
            value={memory.content}
            maxLength={LONGEST}
            onSave={save}
            onCancel={() => setEditing(false)}
          />
        ) : (
          <bdi className="block whitespace-pre-wrap wrap-anywhere">{memory.content}</bdi>
        )}
        <span className="text-small text-muted">{date}</span>
      </span>
      <IconButton
        label={t('memories.editOf', { content: memory.content.slice(0, 60) })}
        hint={t('common.edit')}
        icon={<Pencil />}
        onClick={() => setEditing(true)}
      />
      <IconButton
        label={t('memories.deleteOf', { content: memory.content.slice(0, 60) })}
        hint={t('common.delete')}
        icon={<Trash2 />}
        onClick={() => void remove()}
      />
    </li>
  )
}

function AddForm({ store }: { store: MemoriesStore }) {
  const { t } = useTranslation()
  const [content, setContent] = useState('')
  const adding = useAction(async () => {
    await addMemory(store, content)
    // What was typed meanwhile is the next one.
    setContent((shown) => (shown === content ? '' : shown))
  })
  return (
    <form onSubmit={adding.handleSubmit} className="flex flex-col items-start gap-3">
      <FormProblem text={adding.problem} />
      <div className="w-full">
        <TextArea
          label={t('memories.new')}
          placeholder={t('memories.example')}
          rows={2}
          maxLength={LONGEST}
          dir="auto"
          value={content}
          onChange={(event) => setContent(event.target.value)}
        />
      </div>
      <Button
        tone="primary"
        className="h-control!"
        type="submit"
        busy={adding.busy}
        disabled={!content.trim()}
      >
        {t('memories.add')}
      </Button>
    </form>
  )
}

function List({ store }: { store: MemoriesStore }) {
  const { t } = useTranslation()
  const { memories, status, problem } = useStore(store)
  if (status === 'loading') return <Spinner className="mx-auto my-8" />
  if (status === 'failed') {
    return (
      <EmptyState
        title={t('memories.loadFailed')}
        action={<Button onClick={() => void loadMemories(store)}>{t('common.retry')}</Button>}
      >
        {problem}
      </EmptyState>
    )
  }
  if (memories.length === 0) {
    return (
      <div className="rounded-large border border-line">
        <EmptyState icon={<Brain />} title={t('memories.none')}>
          {t('memories.noneHint')}
        </EmptyState>
      </div>
    )
  }
  return (
    <ul
      aria-label={t('memories.title')}
      className="divide-y divide-line rounded-large border border-line bg-raised"
    >
      {memories.map((memory) => (
        <MemoryRow key={memory.id} store={store} memory={memory} />
      ))}
    </ul>
  )
}

/** What models may be told about a person, wholly in that person's hands. */
export function MemoriesPage({ store, offered, used, onUse }: MemoriesPageProps) {
  const { t } = useTranslation()
  const count = useStore(store, (state) => state.memories.length)
  const [asks, setAsks] = useState(false)
  const clearing = useAction(async () => {
    await removeAllMemories(store)
    setAsks(false)
    toast({ text: t('memories.allDeleted') })
  })
  useEffect(() => {
    if (offered) void loadMemories(store)
  }, [store, offered])
  if (!offered) return <EmptyState icon={<Brain />} title={t('memories.off')} />
  return (
    <>
      <PageSection text={t('memories.text')}>
        <Switch
          label={t('memories.use')}
          hint={t('memories.useHint')}
          checked={used}
          onChange={onUse}
        />
      </PageSection>
      <PageSection
        title={t('memories.title')}
        action={
          count > 0 && <Button onClick={() => setAsks(true)}>{t('memories.deleteAll')}</Button>
        }
      >
        <div className="flex flex-col gap-6">
          <AddForm store={store} />
          <List store={store} />
        </div>
      </PageSection>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('memories.deleteAllTitle', { count })}
        description={clearing.problem ?? t('memories.deleteAllText')}
        confirmLabel={t('memories.deleteAll')}
        danger
        busy={clearing.busy}
        onConfirm={() => void clearing.run()}
      />
    </>
  )
}
