import '../../lib/strings/memories.ts'
import { Brain, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Memory } from '#contract/memories.ts'
import { useAction } from '../../api/use-action.ts'
import { formatDay } from '../../lib/format-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { InlineEditor } from '../../ui/fields/inline-editor.tsx'
import { EmptyList } from '../../ui/lists/empty-list.tsx'
import { ListPage } from '../../ui/lists/list-page.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { byText } from '../../ui/lists/by-text.ts'
import { useListPage } from '../../ui/lists/use-list-page.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { TextArea } from '../../ui/fields/text-field.tsx'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import {
  addMemory,
  changeMemory,
  type MemoriesStore,
  removeAllMemories,
  removeMemory,
} from './memories-store.ts'

interface MemoriesPageProps {
  readonly store: MemoriesStore
  /** False if an administrator has disabled memories. */
  readonly offered: boolean
  /** True if they are passed to models. */
  readonly used: boolean
  readonly onUse: (used: boolean) => void
}

const LONGEST = 20_000
const ORDERS = {
  newest: (left: Memory, right: Memory) => right.created_at - left.created_at,
  changed: (left: Memory, right: Memory) => right.updated_at - left.updated_at,
  name: byText(({ content }: Memory) => content),
}
function MemoryRow({ store, memory }: { store: MemoriesStore; memory: Memory }) {
  const { t } = useTranslation()
  const [isEditing, setEditing] = useState(false)
  const save = (content: string): void => {
    setEditing(false)
    changeMemory(store, memory, content).catch(toastError)
  }
  const remove = async (): Promise<void> => {
    try {
      await removeMemory(store, memory)
      const bringBack = (): void => void addMemory(store, memory.content).catch(toastError)
      toast({
        text: t('memories.deleted'),
        action: { label: t('common.undo'), onSelect: bringBack },
      })
    } catch (thrown) {
      toastError(thrown)
    }
  }
  const date =
    memory.updated_at > memory.created_at
      ? t('memories.changedOn', { day: formatDay(memory.updated_at) })
      : t('memories.addedOn', { day: formatDay(memory.created_at) })
  return (
    <ListRow
      icon={<Brain />}
      name={isEditing ? '' : memory.content}
      isText
      facts={[date]}
      controls={
        <>
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
        </>
      }
    >
      {isEditing && (
        <InlineEditor
          label={t('memories.content')}
          value={memory.content}
          maxLength={LONGEST}
          onSave={save}
          onCancel={() => setEditing(false)}
        />
      )}
    </ListRow>
  )
}

function AddForm({ store }: { store: MemoriesStore }) {
  const { t } = useTranslation()
  const [content, setContent] = useState('')
  const adding = useAction(async () => {
    await addMemory(store, content)
    // Text typed meanwhile belongs to the next memory.
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
          value={content}
          onChange={setContent}
        />
      </div>
      <Button tone="primary" type="submit" busy={adding.busy} disabled={!content.trim()}>
        {t('memories.add')}
      </Button>
    </form>
  )
}

function MemoryList({ store, used, onUse }: Omit<MemoriesPageProps, 'offered'>) {
  const { t } = useTranslation()
  const [asks, setAsks] = useState(false)
  const clearing = useAction(async () => {
    await removeAllMemories(store)
    setAsks(false)
    toast({ text: t('memories.allDeleted') })
  })
  const list = useListPage({
    store,
    textOf: ({ content }) => content,
    orders: ORDERS,
    labels: { failed: t('memories.loadFailed'), search: t('memories.search') },
  })
  return (
    <>
      <ListPage
        {...list.page}
        text={t('memories.text')}
        more={
          list.items.length > 0 && (
            <MenuItem danger icon={<Trash2 />} onSelect={() => setAsks(true)}>
              {t('memories.deleteAll')}
            </MenuItem>
          )
        }
        note={
          <>
            <Switch
              label={t('memories.use')}
              hint={t('memories.useHint')}
              checked={used}
              onChange={onUse}
            />
            <AddForm store={store} />
          </>
        }
        empty={{ icon: <Brain />, title: t('memories.none'), text: t('memories.noneHint') }}
        noMatch={t('memories.noMatch')}
      >
        <Rows label={t('memories.title')}>
          {list.shown.map((memory) => (
            <MemoryRow key={memory.id} store={store} memory={memory} />
          ))}
        </Rows>
      </ListPage>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={t('memories.deleteAllTitle', { count: list.items.length })}
        description={clearing.problem ?? t('memories.deleteAllText')}
        confirmLabel={t('memories.deleteAll')}
        danger
        busy={clearing.busy}
        onConfirm={() => void clearing.run()}
      />
    </>
  )
}

/** Facts that models may receive about the user, managed entirely by the user. */
export function MemoriesPage({ offered, ...props }: MemoriesPageProps) {
  const { t } = useTranslation()
  return offered ? (
    <MemoryList {...props} />
  ) : (
    <EmptyList icon={<Brain />} title={t('memories.off')} />
  )
}
