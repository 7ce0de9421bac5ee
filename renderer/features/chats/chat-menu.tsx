import {
  Archive,
  ArchiveRestore,
  CopyPlus,
  Download,
  FileCode,
  FileJson,
  FileText,
  FolderInput,
  Mail,
  MailOpen,
  Pencil,
  Pin,
  PinOff,
  Printer,
  Share2,
  SquareCheck,
  Tags,
  Trash2,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ChatListItem } from '#contract/chats.ts'
import { MenuItem, MenuSeparator, SubMenu } from '../../ui/floating/menu.tsx'
import { isUnread } from './chats-store.ts'
import type { ChatsView, ExportFormat } from './chats-view.ts'

interface ExportItemsProps {
  readonly onExport: (format: ExportFormat) => void
  readonly onPrint?: () => void
}

/** Menu items for the export formats of chats. */
export function ExportItems({ onExport, onPrint }: ExportItemsProps) {
  const { t } = useTranslation()
  return (
    <>
      <MenuItem icon={<FileText />} onSelect={() => onExport('markdown')}>
        {t('chats.exportMarkdown')}
      </MenuItem>
      <MenuItem icon={<FileCode />} onSelect={() => onExport('page')}>
        {t('chats.exportPage')}
      </MenuItem>
      <MenuItem icon={<FileJson />} onSelect={() => onExport('json')}>
        {t('chats.exportJson')}
      </MenuItem>
      {onPrint && (
        <MenuItem icon={<Printer />} onSelect={onPrint}>
          {t('chats.print')}
        </MenuItem>
      )}
    </>
  )
}

interface ChatMenuItemsProps {
  readonly chat: ChatListItem
  readonly view: ChatsView
  /**
   * Set only in the list: shows the keyboard shortcuts of its rows and starts selecting several
   * chats.
   */
  readonly onSelect?: () => void
}

/** All actions on one chat. */
export function ChatMenuItems({ chat, view, onSelect }: ChatMenuItemsProps) {
  const { t } = useTranslation()
  const { actions, rights } = view
  const key = (name: string): string | undefined => (onSelect ? name : undefined)
  return (
    <>
      <MenuItem
        icon={<Pencil />}
        accelerator={key('F2')}
        onSelect={() => actions.startRename(chat)}
      >
        {t('chats.rename')}
      </MenuItem>
      {!chat.archived && (
        <MenuItem
          icon={chat.pinned ? <PinOff /> : <Pin />}
          accelerator={key('P')}
          onSelect={() => actions.togglePin(chat)}
        >
          {chat.pinned ? t('chats.unpin') : t('chats.pin')}
        </MenuItem>
      )}
      {rights.hasFolders && !chat.archived && (
        <MenuItem
          icon={<FolderInput />}
          accelerator={key('M')}
          onSelect={() => actions.move([chat])}
        >
          {t('chats.move')}
        </MenuItem>
      )}
      <MenuItem icon={<Tags />} accelerator={key('T')} onSelect={() => actions.editTags([chat])}>
        {t('chats.tags')}
      </MenuItem>
      <MenuItem
        icon={isUnread(chat) ? <MailOpen /> : <Mail />}
        accelerator={key('U')}
        onSelect={() => actions.toggleRead(chat)}
      >
        {isUnread(chat) ? t('chats.markRead') : t('chats.markUnread')}
      </MenuItem>
      {onSelect && (
        <MenuItem icon={<SquareCheck />} onSelect={onSelect}>
          {t('chats.select')}
        </MenuItem>
      )}
      <MenuSeparator />
      {rights.canShare && (
        <MenuItem icon={<Share2 />} accelerator={key('S')} onSelect={() => actions.share(chat)}>
          {t('chats.share')}
        </MenuItem>
      )}
      {rights.canExport && (
        <SubMenu icon={<Download />} label={t('chats.export')}>
          <ExportItems
            onExport={(format) => actions.exportAs([chat], format)}
            onPrint={() => actions.print(chat)}
          />
        </SubMenu>
      )}
      <MenuItem icon={<CopyPlus />} onSelect={() => actions.clone(chat)}>
        {t('chats.clone')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={chat.archived ? <ArchiveRestore /> : <Archive />}
        accelerator={key('E')}
        onSelect={() => (chat.archived ? actions.unarchive([chat]) : actions.archive([chat]))}
      >
        {chat.archived ? t('chats.unarchive') : t('chats.archive')}
      </MenuItem>
      {rights.canDelete && (
        <MenuItem
          danger
          icon={<Trash2 />}
          accelerator={key('Delete')}
          onSelect={() => actions.remove([chat])}
        >
          {t('common.delete')}
        </MenuItem>
      )}
    </>
  )
}
