import { CircleHelp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ChatTag } from '#contract/chat-lists.ts'
import { call, endpoints } from '../../api/client.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Popover } from '../../ui/floating/popover.tsx'
import type { ChatsStore } from './chats-store.ts'
import { searchChats, withFilter } from './search-chats.ts'

const TAGS_SHOWN = 12

/**
 * Filters of the search box; those with a preset value are complete, the others need one to be
 * typed.
 */
const FILTERS = Object.freeze([
  { name: 'tag', value: '', label: 'chats.help.tag' },
  { name: 'tag', value: 'none', label: 'chats.help.untagged' },
  { name: 'folder', value: '', label: 'chats.help.folder' },
  { name: 'model', value: '', label: 'chats.help.model' },
  { name: 'pinned', value: 'true', label: 'chats.help.pinned' },
  { name: 'archived', value: 'true', label: 'chats.help.archived' },
  { name: 'shared', value: 'true', label: 'chats.help.shared' },
  { name: 'before', value: '', label: 'chats.help.before' },
  { name: 'after', value: '', label: 'chats.help.after' },
] as const)

function useTags(isOpen: boolean): readonly ChatTag[] {
  const [tags, setTags] = useState<readonly ChatTag[]>([])
  useEffect(() => {
    // Without the tags the rest of the help is still of use.
    if (isOpen) call(endpoints.chats.allTags, {}).then(setTags, () => setTags([]))
  }, [isOpen])
  return tags
}

interface SearchHelpProps {
  readonly store: ChatsStore
  /** Focuses the search box, so that the value can be typed. */
  readonly onChosen: () => void
}

/** Help for the search: each line inserts its filter into the box. */
export function SearchHelp({ store, onChosen }: SearchHelpProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const isChosen = useRef(false)
  const tags = useTags(isOpen)
  const text = useStore(store, (state) => state.search.text)
  const choose = (name: string, value: string): void => {
    searchChats(store, withFilter(text, name, value))
    isChosen.current = true
    setOpen(false)
  }
  const handleClosed = (event: Event): void => {
    if (!isChosen.current) return
    isChosen.current = false
    event.preventDefault()
    onChosen()
  }
  return (
    <Popover
      label={t('chats.help.title')}
      open={isOpen}
      onOpenChange={setOpen}
      onCloseAutoFocus={handleClosed}
      align="end"
      className="w-80"
      trigger={
        <IconButton
          size="small"
          label={t('chats.help.title')}
          icon={<CircleHelp />}
          // The button is visible only while the search box has the focus, so a press must not
          // take it away.
          onMouseDown={(event) => event.preventDefault()}
        />
      }
    >
      <div className="p-3 pb-1">
        <p className="font-medium">{t('chats.help.title')}</p>
        <p className="mt-1 text-small text-muted">{t('chats.help.text')}</p>
      </div>
      <ul className="px-1 pb-1">
        {FILTERS.map(({ name, value, label }) => (
          <li key={label}>
            <button
              type="button"
              onClick={() => choose(name, value)}
              className="flex min-h-8 w-full items-baseline gap-3 rounded-small px-2 py-1 text-start hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
            >
              <code
                dir="ltr"
                data-exempt=""
                className="w-28 shrink-0 text-small text-accent-strong dark:text-accent"
              >
                {name}:{value || '…'}
              </code>
              <span className="min-w-0 flex-1 text-small">{t(label)}</span>
            </button>
          </li>
        ))}
      </ul>
      {tags.length > 0 && (
        <div className="border-t border-line p-3">
          <p className="mb-2 text-small font-medium text-muted">{t('chats.help.yourTags')}</p>
          <ul className="flex flex-wrap gap-1.5">
            {tags.slice(0, TAGS_SHOWN).map((tag) => (
              <li key={tag.id} className="max-w-full">
                <button
                  type="button"
                  onClick={() => choose('tag', tag.name)}
                  className="max-w-full min-h-6 truncate rounded-full bg-hover px-2.5 text-small hover:bg-pressed pointer-coarse:min-h-11 forced-colors:border"
                >
                  <bdi>{tag.name}</bdi>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Popover>
  )
}
