import { X } from 'lucide-react'
import { useEffect, useId, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { inputClasses } from '../../ui/fields/field.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { addTag, removeTag } from './change-chat.ts'
import { type ChatsStore, selectChat } from './chats-store.ts'

interface TagsDialogProps {
  readonly store: ChatsStore
  readonly chatIds: readonly string[]
  readonly onClose: () => void
}

const SUGGESTED = 10

/** Returns tags of at least one of the chats, the most frequent first. */
export function countTags(
  tagLists: readonly (readonly string[])[],
): readonly { name: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const tags of tagLists) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name))
}

function useKnownTags(): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    // Without suggestions tags can still be typed.
    call(endpoints.chats.allTags, {}).then(
      (tags) => setNames(tags.map((tag) => tag.name)),
      () => setNames([]),
    )
  }, [])
  return names
}

/** Adds and removes tags of chats; every step is stored immediately. */
export function TagsDialog({ store, chatIds, onClose }: TagsDialogProps) {
  const { t } = useTranslation()
  const fieldId = useId()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const known = useKnownTags()
  const chats = useStore(
    store,
    useShallow((state) =>
      chatIds.map((id) => selectChat(id)(state)).filter((chat) => chat !== null),
    ),
  )
  const tags = countTags(chats.map((chat) => chat.tags))
  const isOnAll = (name: string): boolean =>
    tags.some((tag) => tag.name.toLowerCase() === name.toLowerCase() && tag.count === chats.length)
  const suggestions = known
    .filter((name) => !isOnAll(name) && name.toLowerCase().includes(text.trim().toLowerCase()))
    .slice(0, SUGGESTED)
  const tell = (thrown: unknown): void => setProblem(toSentence(thrown))
  const add = (name: string): void => {
    const wanted = name.trim()
    if (!wanted) return
    setText('')
    setProblem(null)
    const missing = chats.filter(
      (chat) => !chat.tags.some((tag) => tag.toLowerCase() === wanted.toLowerCase()),
    )
    Promise.all(missing.map((chat) => addTag(store, chat, wanted))).catch(tell)
  }
  const remove = (name: string): void => {
    setProblem(null)
    Promise.all(
      chats.filter((chat) => chat.tags.includes(name)).map((chat) => removeTag(store, chat, name)),
    ).catch(tell)
  }
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    add(text)
  }
  const title = chats.length === 1 ? chats[0]?.title || t('chats.untitled') : null
  return (
    <Dialog
      onClose={onClose}
      title={t('chats.tagsTitle')}
      description={
        title ? (
          <bdi className="block truncate">{title}</bdi>
        ) : (
          t('chats.selected', { count: chats.length })
        )
      }
      actions={
        <Button tone="primary" onClick={onClose}>
          {t('common.done')}
        </Button>
      }
    >
      <form onSubmit={handleSubmit} className="flex flex-col gap-3">
        <FormProblem text={problem} />
        {tags.length > 0 && (
          <ul aria-label={t('chats.tagsOn')} className="flex flex-wrap gap-1.5">
            {tags.map(({ name, count }) => (
              <li
                key={name}
                className="flex max-w-full items-center rounded-full bg-accent-soft ps-2.5 text-accent-strong dark:text-accent forced-colors:border"
              >
                <bdi className="truncate">{name}</bdi>
                {count < chats.length && (
                  <span className="ms-1.5 text-small tabular-nums">{count}</span>
                )}
                <button
                  type="button"
                  aria-label={t('chats.removeTag', { name })}
                  onClick={() => remove(name)}
                  className="grid size-7 shrink-0 place-items-center rounded-full hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:size-11"
                >
                  <X className="size-3.5" />
                </button>
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-col gap-1.5">
          <label htmlFor={fieldId} className="font-medium">
            {t('chats.newTag')}
          </label>
          <span className="flex gap-2">
            <input
              id={fieldId}
              value={text}
              maxLength={200}
              autoComplete="off"
              onChange={(event) => setText(event.target.value)}
              className={inputClasses}
            />
            <Button type="submit" disabled={!text.trim()} className="h-primary">
              {t('chats.addTag')}
            </Button>
          </span>
        </div>
        {suggestions.length > 0 && (
          <div>
            <p className="mb-1.5 text-small text-muted">{t('chats.tagSuggestions')}</p>
            <ul className="flex flex-wrap gap-1.5">
              {suggestions.map((name) => (
                <li key={name} className="max-w-full">
                  <Button
                    tone="secondary"
                    className="h-7! max-w-full rounded-full! px-2.5!"
                    onClick={() => add(name)}
                  >
                    <bdi className="truncate">{name}</bdi>
                  </Button>
                </li>
              ))}
            </ul>
          </div>
        )}
      </form>
    </Dialog>
  )
}
