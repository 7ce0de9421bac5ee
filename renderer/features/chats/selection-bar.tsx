import { Archive, Download, FolderInput, Tags, Trash2, X } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { announce } from '../../ui/layout/live-region.tsx'
import { Menu } from '../../ui/floating/menu.tsx'
import { ExportItems } from './chat-menu.tsx'
import type { ChatsView } from './chats-view.ts'
import { setSelecting } from './select-chats.ts'

/** Actions on all selected chats, shown below the list in selection mode. */
export function SelectionBar({ view }: { view: ChatsView }) {
  const { t } = useTranslation()
  const { store, actions, rights } = view
  const chats = useStore(
    store,
    useShallow((state) => state.chats.filter((chat) => state.selection?.has(chat.id))),
  )
  const text = t('chats.selected', { count: chats.length })
  useEffect(() => announce(text), [text])
  const none = chats.length === 0
  return (
    <section
      aria-label={t('chats.selection')}
      className="shrink-0 border-t border-line px-2 py-1.5"
    >
      <div className="flex items-center gap-2 ps-2">
        <p className="min-w-0 flex-1 truncate text-small font-medium">{text}</p>
        <IconButton
          size="small"
          label={t('chats.endSelection')}
          icon={<X />}
          onClick={() => setSelecting(store, false)}
        />
      </div>
      <div className="flex items-center justify-between">
        {rights.hasFolders && (
          <IconButton
            side="top"
            disabled={none}
            label={t('chats.move')}
            icon={<FolderInput />}
            onClick={() => actions.move(chats)}
          />
        )}
        <IconButton
          side="top"
          disabled={none}
          label={t('chats.tags')}
          icon={<Tags />}
          onClick={() => actions.editTags(chats)}
        />
        {rights.canExport && (
          <Menu
            side="top"
            align="start"
            trigger={
              <IconButton
                side="top"
                disabled={none}
                label={t('chats.export')}
                icon={<Download />}
              />
            }
          >
            <ExportItems onExport={(format) => actions.exportAs(chats, format)} />
          </Menu>
        )}
        <IconButton
          side="top"
          disabled={none}
          label={t('chats.archive')}
          icon={<Archive />}
          onClick={() => actions.archive(chats)}
        />
        {rights.canDelete && (
          <IconButton
            side="top"
            disabled={none}
            label={t('common.delete')}
            icon={<Trash2 />}
            className="hover:text-danger"
            onClick={() => actions.remove(chats)}
          />
        )}
      </div>
    </section>
  )
}
