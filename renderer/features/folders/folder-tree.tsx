import {
  ChevronRight,
  Folder,
  FolderCog,
  FolderInput,
  FolderOpen,
  FolderPlus,
  MoreHorizontal,
  Pencil,
  SquarePen,
  Trash2,
} from 'lucide-react'
import { useState, type DragEvent, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { FolderItem } from '#contract/folders.ts'
import { classNames } from '../../lib/class-names.ts'
import { isDragged, readDrag, startDrag, type Dragged } from '../../lib/drag-rows.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { InlineEditor } from '../../ui/fields/inline-editor.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx'
import { childrenOf, type FoldersStore } from './folders-store.ts'

export interface FolderActions {
  readonly create: (parentId: string | null) => void
  readonly newChat: (folder: FolderItem) => void
  readonly setExpanded: (folder: FolderItem, expanded: boolean) => void
  readonly startRename: (folder: FolderItem) => void
  readonly rename: (folder: FolderItem, name: string) => void
  readonly cancelRename: (folder: FolderItem) => void
  readonly edit: (folder: FolderItem) => void
  readonly move: (folder: FolderItem) => void
  readonly remove: (folder: FolderItem) => void
  /** Called when something was dropped on a folder, or outside all folders for null. */
  readonly drop: (dragged: Dragged, folderId: string | null) => void
}

interface FolderTreeProps {
  readonly store: FoldersStore
  readonly actions: FolderActions
  /** Renders the chats directly in a folder. */
  readonly drawChats: (folderId: string) => ReactNode
  /** Renders the number of chats and their activity. */
  readonly drawMarks: (folderId: string) => ReactNode
}

/** Returns the handlers of a drop target for chats and folders. */
export function useDropPlace(onDrop: (dragged: Dragged) => void) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!isDragged(event)) return
        event.preventDefault()
        event.stopPropagation()
        event.dataTransfer.dropEffect = 'move'
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent) {
        setOver(false)
        const dragged = readDrag(event)
        if (!dragged) return
        event.preventDefault()
        event.stopPropagation()
        onDrop(dragged)
      },
    },
  }
}

function FolderMenu({ folder, actions }: { folder: FolderItem; actions: FolderActions }) {
  const { t } = useTranslation()
  return (
    <Menu
      trigger={
        <IconButton
          size="small"
          label={t('folders.actionsOf', { name: folder.name })}
          icon={<MoreHorizontal />}
          tabIndex={-1}
          className="absolute end-1.5 top-1/2 -translate-y-1/2 opacity-0 group-focus-within/folder:opacity-100 group-hover/folder:opacity-100 data-[state=open]:opacity-100 pointer-coarse:end-0 pointer-coarse:opacity-100"
        />
      }
    >
      <MenuItem icon={<SquarePen />} onSelect={() => actions.newChat(folder)}>
        {t('folders.newChat')}
      </MenuItem>
      <MenuItem icon={<FolderPlus />} onSelect={() => actions.create(folder.id)}>
        {t('folders.newInside')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Pencil />} accelerator="F2" onSelect={() => actions.startRename(folder)}>
        {t('chats.rename')}
      </MenuItem>
      <MenuItem icon={<FolderCog />} onSelect={() => actions.edit(folder)}>
        {t('folders.settings')}
      </MenuItem>
      <MenuItem icon={<FolderInput />} accelerator="M" onSelect={() => actions.move(folder)}>
        {t('chats.move')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        danger
        icon={<Trash2 />}
        accelerator="Delete"
        onSelect={() => actions.remove(folder)}
      >
        {t('common.delete')}
      </MenuItem>
    </Menu>
  )
}

function actByKey(key: string, folder: FolderItem, actions: FolderActions): boolean {
  const isMirrored = document.documentElement.dir === 'rtl'
  const handlers: Record<string, () => void> = {
    ArrowRight: () => actions.setExpanded(folder, !isMirrored),
    ArrowLeft: () => actions.setExpanded(folder, isMirrored),
    F2: () => actions.startRename(folder),
    Delete: () => actions.remove(folder),
    m: () => actions.move(folder),
  }
  handlers[key]?.()
  return key in handlers
}

function FolderHead({
  folder,
  actions,
  marks,
}: {
  folder: FolderItem
  actions: FolderActions
  marks: ReactNode
}) {
  const { isOver, handlers } = useDropPlace((dragged) => actions.drop(dragged, folder.id))
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (actByKey(event.key, folder, actions)) event.preventDefault()
  }
  const Icon = folder.is_expanded ? FolderOpen : Folder
  return (
    <div className="group/folder relative" {...handlers}>
      <button
        type="button"
        draggable
        aria-expanded={folder.is_expanded}
        data-row=""
        data-folder-id={folder.id}
        onClick={() => actions.setExpanded(folder, !folder.is_expanded)}
        onKeyDown={handleKeyDown}
        onDragStart={(event) => startDrag(event, { folder: folder.id }, folder.name)}
        className={classNames(
          'flex min-h-(--row) w-full items-center gap-2 rounded-medium px-2.5 text-start transition-colors duration-(--motion-in) group-focus-within/folder:pe-8 group-hover/folder:pe-8 hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-11 pointer-coarse:pe-11',
          isOver && 'bg-accent-soft outline-2 -outline-offset-2 outline-accent',
        )}
      >
        <ChevronRight
          className={classNames(
            '-ms-1 size-3.5 shrink-0 text-muted transition-transform duration-(--motion-in)',
            folder.is_expanded ? 'rotate-90' : 'rtl:-scale-x-100',
          )}
        />
        <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <bdi className="min-w-0 flex-1 truncate">{folder.name}</bdi>
        {marks}
      </button>
      <FolderMenu folder={folder} actions={actions} />
    </div>
  )
}

function FolderNode({ folder, ...props }: FolderTreeProps & { folder: FolderItem }) {
  const { t } = useTranslation()
  const { store, actions, drawChats, drawMarks } = props
  const children = useStore(store, (state) => state.folders)
  const isRenaming = useStore(store, (state) => state.renamingId === folder.id)
  return (
    <li>
      {isRenaming ? (
        <InlineEditor
          label={t('folders.name')}
          value={folder.name}
          maxLength={200}
          onSave={(name) => actions.rename(folder, name)}
          onCancel={() => actions.cancelRename(folder)}
        />
      ) : (
        <FolderHead folder={folder} actions={actions} marks={drawMarks(folder.id)} />
      )}
      {folder.is_expanded && (
        <ul className="ms-3.5 flex flex-col gap-px border-s border-line ps-1.5">
          {childrenOf(children, folder.id).map((each) => (
            <FolderNode key={each.id} folder={each} {...props} />
          ))}
          {drawChats(folder.id)}
        </ul>
      )}
    </li>
  )
}

/**
 * The folder tree with its contents. Chats and folders can be dropped on each folder; every menu
 * offers the same action.
 */
export function FolderTree(props: FolderTreeProps) {
  const { t } = useTranslation()
  const { store, actions } = props
  const folders = useStore(store, (state) => state.folders)
  const { isOver, handlers } = useDropPlace((dragged) => actions.drop(dragged, null))
  return (
    <section className="pb-3" aria-label={t('folders.title')}>
      <div
        {...handlers}
        className={classNames(
          'sticky top-0 z-1 flex items-center gap-1 rounded-small bg-sidebar ps-2.5 pe-1',
          isOver && 'bg-accent-soft! outline-2 -outline-offset-2 outline-accent',
        )}
      >
        <h3 className="min-w-0 flex-1 py-1.5 text-small font-medium text-muted">
          {isOver ? t('folders.dropOutside') : t('folders.title')}
        </h3>
        <IconButton
          size="small"
          label={t('folders.new')}
          icon={<FolderPlus />}
          onClick={() => actions.create(null)}
        />
      </div>
      <ul className="flex flex-col gap-px">
        {childrenOf(folders, null).map((folder) => (
          <FolderNode key={folder.id} folder={folder} {...props} />
        ))}
      </ul>
    </section>
  )
}
