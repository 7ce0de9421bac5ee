import { SlidersHorizontal } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../lib/lazy-part.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Popover } from '../../ui/floating/popover.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import type { ChatsStore } from './chats-store.ts'

const SearchFilters = lazyPart(() => import('./search-filters.tsx'), 'SearchFilters')

interface SearchHelpProps {
  readonly store: ChatsStore
  /** Folder names by id. */
  readonly folderNames: ReadonlyMap<string, string>
  /** Focuses the search box, so that words can be typed. */
  readonly onChosen: () => void
}

/** Button of the search box that opens the filters. */
export function SearchHelp({ store, folderNames, onChosen }: SearchHelpProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const isChosen = useRef(false)
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
      isSheet
      className="w-80"
      trigger={
        <IconButton size="small" label={t('chats.help.title')} icon={<SlidersHorizontal />} />
      }
    >
      <Suspense fallback={<Spinner className="m-8" />}>
        <SearchFilters
          store={store}
          folderNames={folderNames}
          onChosen={() => {
            isChosen.current = true
            setOpen(false)
          }}
        />
      </Suspense>
    </Popover>
  )
}
