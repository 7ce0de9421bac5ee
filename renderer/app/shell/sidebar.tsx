import {
  Archive,
  Images,
  LayoutGrid,
  type LucideIcon,
  PanelLeftClose,
  Settings,
  SquarePen,
  Star,
  Trash2,
} from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { ChatList } from '../../features/chats/chat-list.tsx'
import { ListOptions } from '../../features/chats/list-options.tsx'
import { SearchField } from '../../features/chats/search-field.tsx'
import { SelectionBar } from '../../features/chats/selection-bar.tsx'
import { classNames } from '../../lib/class-names.ts'
import { runCommand } from '../../lib/commands.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { isGuest } from '../../features/auth/session-store.ts'
import { toPath, useRoute, workspacePath } from '../../lib/router.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Kbd } from '../../ui/marks/kbd.tsx'
import { Logo } from '../../ui/marks/logo.tsx'
import { useChatsView } from '../chats/chats-view.ts'
import { folderActions } from '../chats/folder-actions.ts'
import { FoldersSection, useFolderNames, useHasFolders } from '../chats/folders-section.tsx'
import { toggleSidebar } from './layout-store.ts'
import { mayMakePictures, mayUseChannels } from '../person/permissions.ts'
import { chatsStore, layoutStore, sessionStore } from '../stores.ts'
import { UserMenu } from './user-menu.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'

const SearchResults = lazyPart(
  () => import('../../features/chats/search-results.tsx'),
  'SearchResults',
)
const ChannelsSection = lazyPart(
  () => import('../channels/channels-section.tsx'),
  'ChannelsSection',
)
const FoundInChannels = lazyPart(
  () => import('../channels/channels-section.tsx'),
  'FoundInChannels',
)

const HEIGHT_KEY = 'channels-height'

/**
 * Keeps the height that the channels had last until they are loaded, so that the chats below them
 * do not move.
 */
function ChannelsPlace() {
  const content = useRef<HTMLDivElement>(null)
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    if (!isLoaded) return undefined
    const observer = new ResizeObserver(([entry]) =>
      localStorage.setItem(HEIGHT_KEY, String(entry?.contentRect.height ?? 0)),
    )
    observer.observe(content.current!)
    return () => observer.disconnect()
  }, [isLoaded])
  return (
    <div style={{ minHeight: isLoaded ? 0 : Number(localStorage.getItem(HEIGHT_KEY)) }}>
      <div ref={content}>
        <Suspense>
          <ChannelsSection onLoaded={() => setLoaded(true)} />
        </Suspense>
      </div>
    </div>
  )
}

function NewChatButton() {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      aria-label={t('chats.newChat')}
      onClick={() => runCommand('chat.new')}
      className="group flex h-primary w-full items-center gap-2.5 rounded-medium px-2.5 text-ui font-medium transition-colors duration-(--motion-in) hover:bg-hover active:bg-pressed pointer-coarse:min-h-11"
    >
      <SquarePen className="size-4 text-accent" />
      <span className="flex-1 text-start">{t('chats.newChat')}</span>
      <span className="opacity-0 transition-opacity duration-(--motion-in) group-hover:opacity-100 group-focus-visible:opacity-100">
        <Kbd accelerator="CmdOrCtrl+N" />
      </span>
    </button>
  )
}

interface PlaceLinkProps {
  readonly path: string
  readonly isCurrent: boolean
  readonly icon: LucideIcon
  readonly label: string
}

function PlaceLink({ path, isCurrent: current, icon: Icon, label }: PlaceLinkProps) {
  return (
    <a
      href={path}
      onClick={handleLink}
      aria-current={current ? 'page' : undefined}
      className={classNames(
        'flex h-primary w-full items-center gap-2.5 rounded-medium px-2.5 text-ui font-medium text-ink no-underline transition-colors duration-(--motion-in) pointer-coarse:min-h-11',
        current ? 'bg-pressed' : 'hover:bg-hover active:bg-pressed',
      )}
    >
      <Icon
        aria-hidden="true"
        className={classNames('size-4', current ? 'text-accent' : 'text-muted')}
      />
      {label}
    </a>
  )
}

/** Navigation to the screens besides the chats. */
function Places() {
  const { t } = useTranslation()
  const { name } = useRoute()
  const hasPictures = useStore(sessionStore, mayMakePictures)
  const isVisiting = useStore(sessionStore, isGuest)
  if (isVisiting) return null
  return (
    <>
      <PlaceLink
        path={workspacePath('models')}
        isCurrent={name === 'workspace'}
        icon={LayoutGrid}
        label={t('workspace.title')}
      />
      {hasPictures && (
        <PlaceLink
          path={toPath({ name: 'pictures' })}
          isCurrent={name === 'pictures'}
          icon={Images}
          label={t('workspace.pictures')}
        />
      )}
    </>
  )
}

const SHELF = [
  { name: 'starred', icon: Star },
  { name: 'archived', icon: Archive },
  { name: 'trash', icon: Trash2 },
] as const

/** Messages and chats that are not in the list. */
function Shelf() {
  const { t } = useTranslation()
  const { name: current } = useRoute()
  return (
    <nav
      aria-label={t('chats.shelf.label')}
      className="grid shrink-0 grid-cols-3 gap-1 border-t border-line px-2 pt-2"
    >
      {SHELF.map(({ name, icon: Icon }) => (
        <a
          key={name}
          href={toPath({ name })}
          onClick={handleLink}
          aria-current={current === name ? 'page' : undefined}
          className="flex min-w-0 flex-col items-center gap-0.5 rounded-medium px-1 py-1 text-tiny text-muted no-underline transition-colors duration-(--motion-in) hover:bg-hover hover:text-ink active:bg-pressed aria-[current=page]:bg-pressed aria-[current=page]:text-ink pointer-coarse:min-h-11"
        >
          <Icon aria-hidden="true" className="size-4" />
          <span className="max-w-full truncate">{t(`chats.shelf.${name}`)}</span>
        </a>
      ))}
    </nav>
  )
}

/** The sidebar: new chat, search, the list, the account. */
export function Sidebar({ currentId }: { currentId: string | null }) {
  const { t } = useTranslation()
  const searched = useStore(chatsStore, (state) => state.search.text)
  const searching = searched.trim() !== ''
  const hasChannels = useStore(sessionStore, mayUseChannels)
  const selecting = useStore(chatsStore, (state) => state.selection !== null)
  const view = useChatsView()
  const hasFolders = useHasFolders() && view.rights.hasFolders
  const folderNames = useFolderNames()
  const name = useStore(sessionStore, (state) => state.config?.name) ?? t('common.productName')
  return (
    <div data-sidebar="" className="flex h-full flex-col bg-sidebar">
      <div className="flex h-header shrink-0 items-center gap-2 ps-4 pe-2">
        <Logo className="size-5.5" />
        <span className="min-w-0 flex-1 truncate font-semibold tracking-[-0.005em]">{name}</span>
        <IconButton
          label={t('common.closeSidebar')}
          accelerator="CmdOrCtrl+B"
          icon={<PanelLeftClose className="rtl:-scale-x-100" />}
          onClick={() => toggleSidebar(layoutStore)}
        />
      </div>
      <div className="flex flex-col gap-1.5 px-2 pt-1 pb-2">
        <div>
          <NewChatButton />
          <Places />
        </div>
        <div className="flex items-center gap-0.5 ps-0.5">
          <div className="min-w-0 flex-1">
            <SearchField store={chatsStore} folderNames={folderNames} />
          </div>
          <ListOptions
            view={view}
            onNewFolder={() => folderActions.create(null)}
            hasChannels={hasChannels && !searching}
          />
        </div>
      </div>
      <nav
        id="chat-list"
        tabIndex={-1}
        aria-label={t('chats.title')}
        className="min-h-0 flex-1 overflow-y-auto px-2 outline-none"
      >
        {hasChannels && !searching && <ChannelsPlace />}
        {searching ? (
          <Suspense>
            <SearchResults store={chatsStore} folderNames={folderNames} />
          </Suspense>
        ) : (
          <ChatList
            view={view}
            currentId={currentId}
            folders={hasFolders ? <FoldersSection view={view} currentId={currentId} /> : null}
          />
        )}
        {hasChannels && searching && (
          <Suspense>
            <FoundInChannels text={searched} />
          </Suspense>
        )}
      </nav>
      {selecting && <SelectionBar view={view} />}
      <Shelf />
      <div className="flex shrink-0 items-center gap-1 px-2 pt-1 pb-2">
        <UserMenu />
        <IconButton
          label={t('common.settings')}
          accelerator="CmdOrCtrl+,"
          side="top"
          icon={<Settings />}
          onClick={() => runCommand('settings.open')}
        />
      </div>
    </div>
  )
}
