import { Search, X } from 'lucide-react'
import { useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import type { ChatsStore } from './chats-store.ts'
import { searchChats } from './search-chats.ts'
import { SearchHelp } from './search-help.tsx'

/** Id of the search box, for the command that focuses it. */
export const SEARCH_FIELD_ID = 'chat-search'

interface SearchFieldProps {
  readonly store: ChatsStore
  /** Folder names by id. */
  readonly folderNames: ReadonlyMap<string, string>
}

/** The box above the chat list. Arrow down enters the results, Escape ends the search. */
export function SearchField({ store, folderNames }: SearchFieldProps) {
  const { t } = useTranslation()
  const text = useStore(store, (state) => state.search.text)
  const ref = useRef<HTMLInputElement>(null)
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      searchChats(store, '')
      event.preventDefault()
    }
    if (event.key === 'ArrowDown') {
      event.currentTarget
        .closest('[data-sidebar]')
        ?.querySelector<HTMLElement>('[data-row]')
        ?.focus()
      event.preventDefault()
    }
  }
  return (
    <search className="relative block">
      <Search className="pointer-events-none absolute start-2.5 top-1/2 size-4 -translate-y-1/2 text-muted" />
      <input
        ref={ref}
        id={SEARCH_FIELD_ID}
        type="search"
        enterKeyHint="search"
        aria-label={t('chats.search')}
        placeholder={t('chats.search')}
        value={text}
        maxLength={500}
        onChange={(event) => searchChats(store, event.target.value)}
        onKeyDown={handleKeyDown}
        className="h-control w-full rounded-medium border border-transparent bg-hover ps-8.5 pe-14 text-ui text-ellipsis placeholder-shown:pe-9 pointer-coarse:pe-22 pointer-coarse:placeholder-shown:pe-11 transition-colors duration-(--motion-in) hover:bg-pressed focus-visible:border-accent focus-visible:bg-raised focus-visible:outline-1 focus-visible:-outline-offset-1 pointer-coarse:min-h-11"
      />
      <span className="absolute end-1 top-1/2 flex -translate-y-1/2 items-center">
        {text && (
          <IconButton
            size="small"
            label={t('chats.clearSearch')}
            icon={<X />}
            onClick={() => {
              searchChats(store, '')
              ref.current?.focus()
            }}
          />
        )}
        <SearchHelp store={store} folderNames={folderNames} onChosen={() => ref.current?.focus()} />
      </span>
    </search>
  )
}
