import { Search, X } from 'lucide-react'
import { useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../lib/class-names.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import type { ChatsStore } from './chats-store.ts'
import { searchChats } from './search-chats.ts'
import { SearchHelp } from './search-help.tsx'

/** Id of the search box, for the command that focuses it. */
export const SEARCH_FIELD_ID = 'chat-search'

/** The box above the chat list. Arrow down enters the results, Escape ends the search. */
export function SearchField({ store }: { store: ChatsStore }) {
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
    <search className="group/search relative block">
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
        className="h-control w-full rounded-medium border border-transparent bg-hover ps-8.5 pe-14 text-ui text-ellipsis pointer-coarse:not-focus:placeholder-shown:pe-2 transition-colors duration-(--motion-in) hover:bg-pressed focus-visible:border-accent focus-visible:bg-raised focus-visible:outline-1 focus-visible:-outline-offset-1 pointer-coarse:min-h-11"
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
        {/* The tips help those who search; at rest the box stays plain. */}
        <span
          className={classNames(
            'flex transition-opacity duration-(--motion-in)',
            !text &&
              'not-group-focus-within/search:not-has-data-[state=open]:pointer-events-none not-group-focus-within/search:not-has-data-[state=open]:opacity-0',
          )}
        >
          <SearchHelp store={store} onChosen={() => ref.current?.focus()} />
        </span>
      </span>
    </search>
  )
}
