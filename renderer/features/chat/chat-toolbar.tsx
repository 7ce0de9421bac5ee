import {
  ChartNoAxesColumn,
  Ellipsis,
  GitBranch,
  MessageCircleDashed,
  Search,
  SlidersHorizontal,
} from 'lucide-react'
import type { CommandId } from '#desktop'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../lib/class-names.ts'
import { runCommand } from '../../lib/commands.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import type { ChatRights } from './chat-rights.ts'
import { chatViewStore, togglePanel } from './chat-view-store.ts'

/** Lets the next chat be stored or not; one that has begun is left for a new one. */
export function toggleTemporary(): void {
  chatViewStore.setState((state) => ({ isTemporary: !state.isTemporary }))
  runCommand('chat.startOver')
  setTimeout(() => runCommand('composer.focus'))
}

const run = (id: CommandId) => () => void setTimeout(() => runCommand(id))

/** What can be done with the conversation as a whole. */
export function ChatToolbar({ isNew, rights }: { isNew: boolean; rights: ChatRights }) {
  const { t } = useTranslation()
  const { isTemporary, panel } = useStore(chatViewStore)
  const pressed = 'bg-pressed text-ink'
  return (
    <div className="flex shrink-0 items-center gap-0.5">
      {isNew && rights.temporary && !rights.isTemporaryEnforced && (
        <IconButton
          label={t('chat.temporary.toggle')}
          icon={<MessageCircleDashed />}
          aria-pressed={isTemporary}
          className={classNames(isTemporary && pressed)}
          onClick={toggleTemporary}
        />
      )}
      {(rights.system || rights.params) && (
        <IconButton
          label={t('chat.controls.title')}
          icon={<SlidersHorizontal />}
          aria-pressed={panel === 'controls'}
          className={classNames(panel === 'controls' && pressed)}
          onClick={() => togglePanel(chatViewStore, 'controls')}
        />
      )}
      <Menu trigger={<IconButton label={t('chat.toolbar.more')} icon={<Ellipsis />} />}>
        <MenuItem icon={<Search />} accelerator="CmdOrCtrl+F" onSelect={run('chat.find')}>
          {t('chat.find.open')}
        </MenuItem>
        <MenuItem icon={<GitBranch />} onSelect={run('chat.map')}>
          {t('chat.map.title')}
        </MenuItem>
        <MenuItem icon={<ChartNoAxesColumn />} onSelect={run('chat.usage')}>
          {t('chat.usage.title')}
        </MenuItem>
      </Menu>
    </div>
  )
}
