import {
  ChartNoAxesColumn,
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
import { useMedia } from '../../lib/use-media.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { MenuItem } from '../../ui/floating/menu.tsx'
import { MoreMenu } from '../../ui/floating/more-menu.tsx'
import type { ChatRights } from './chat-rights.ts'
import { chatViewStore, togglePanel } from './chat-view-store.ts'

/** Toggles whether the next chat is stored; a started one is left for a new one. */
export function toggleTemporary(): void {
  chatViewStore.setState((state) => ({ isTemporary: !state.isTemporary }))
  runCommand('chat.startOver')
  setTimeout(() => runCommand('composer.focus'))
}

const run = (id: CommandId) => () => void setTimeout(() => runCommand(id))

/** Media query of windows wide enough for a label beside the title. */
const WIDE = '(min-width: 48rem)'

/** Actions on the whole conversation. */
export function ChatToolbar({ isNew, rights }: { isNew: boolean; rights: ChatRights }) {
  const { t } = useTranslation()
  const { isTemporary, panel } = useStore(chatViewStore)
  const isWide = useMedia(WIDE)
  const mayBeTemporary = isNew && rights.temporary && !rights.isTemporaryEnforced
  const mayControl = rights.system || rights.params
  const pressed = 'bg-pressed text-ink'
  return (
    <div className="flex shrink-0 items-center gap-0.5">
      {isWide && mayBeTemporary && (
        <IconButton
          label={t('chat.temporary.toggle')}
          words={<span>{t('chat.temporary.toggle')}</span>}
          icon={<MessageCircleDashed />}
          aria-pressed={isTemporary}
          className={classNames(isTemporary && pressed)}
          onClick={toggleTemporary}
        />
      )}
      {mayControl && (
        <IconButton
          label={t('chat.controls.title')}
          {...(isWide && { words: <span>{t('chat.controls.title')}</span> })}
          icon={<SlidersHorizontal />}
          aria-pressed={panel === 'controls'}
          className={classNames(panel === 'controls' && pressed)}
          onClick={() => togglePanel(chatViewStore, 'controls')}
        />
      )}
      <MoreMenu label={t('chat.toolbar.more')}>
        {!isWide && mayBeTemporary && (
          <MenuItem icon={<MessageCircleDashed />} onSelect={() => setTimeout(toggleTemporary)}>
            {t(isTemporary ? 'chat.temporary.turnOff' : 'chat.temporary.toggle')}
          </MenuItem>
        )}
        <MenuItem icon={<Search />} accelerator="CmdOrCtrl+F" onSelect={run('chat.find')}>
          {t('chat.find.open')}
        </MenuItem>
        <MenuItem icon={<GitBranch />} onSelect={run('chat.map')}>
          {t('chat.map.title')}
        </MenuItem>
        <MenuItem icon={<ChartNoAxesColumn />} onSelect={run('chat.usage')}>
          {t('chat.usage.title')}
        </MenuItem>
      </MoreMenu>
    </div>
  )
}
