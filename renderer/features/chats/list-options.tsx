import { ArrowDownUp, FolderPlus, Hash, Link2, MessageCircle, SquareCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { runCommand } from '../../lib/commands.ts'
import { navigate, toPath } from '../../lib/router.ts'
import { MenuCheck, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx'
import { MoreMenu } from '../../ui/floating/more-menu.tsx'
import type { ChatsView } from './chats-view.ts'
import { setSelecting } from './select-chats.ts'

const STORAGE_KEY = 'chat-tags'

/** True if tags are shown below the titles; stored in this browser. */
export const wantsTags = (): boolean => localStorage.getItem(STORAGE_KEY) === 'shown'

interface ListOptionsProps {
  readonly view: ChatsView
  readonly onNewFolder: () => void
  /** True if the user may use channels. */
  readonly hasChannels: boolean
}

/** Options of the whole list. */
export function ListOptions({ view, onNewFolder, hasChannels }: ListOptionsProps) {
  const { t } = useTranslation()
  const { store, rights } = view
  const showsTags = useStore(store, (state) => state.showsTags)
  const changeTags = (shown: boolean): void => {
    localStorage.setItem(STORAGE_KEY, shown ? 'shown' : 'hidden')
    store.setState({ showsTags: shown })
  }
  return (
    <MoreMenu label={t('chats.listOptions')}>
      {rights.hasFolders && (
        <MenuItem icon={<FolderPlus />} onSelect={onNewFolder}>
          {t('folders.new')}
        </MenuItem>
      )}
      {hasChannels && (
        <>
          <MenuItem icon={<Hash />} onSelect={() => runCommand('channel.new')}>
            {t('commands.label.channel.new')}
          </MenuItem>
          <MenuItem icon={<MessageCircle />} onSelect={() => runCommand('channel.write')}>
            {t('commands.label.channel.write')}
          </MenuItem>
        </>
      )}
      {(rights.hasFolders || hasChannels) && <MenuSeparator />}
      <MenuItem icon={<SquareCheck />} onSelect={() => setSelecting(store, true)}>
        {t('chats.selectSeveral')}
      </MenuItem>
      <MenuCheck checked={showsTags} onChange={changeTags}>
        {t('chats.showTags')}
      </MenuCheck>
      <MenuSeparator />
      <MenuItem icon={<Link2 />} onSelect={() => navigate(toPath({ name: 'shared' }))}>
        {t('chats.sharedTitle')}
      </MenuItem>
      <MenuItem
        icon={<ArrowDownUp />}
        onSelect={() => navigate(toPath({ name: 'settings', page: 'data' }))}
      >
        {t('settings.pages.data')}
      </MenuItem>
    </MoreMenu>
  )
}
