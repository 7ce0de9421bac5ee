import {
  ArrowLeftRight,
  FileText,
  FolderPlus,
  FolderUp,
  Globe,
  Library,
  Plus,
  Upload,
} from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type FoundFile, fromInput } from '../../lib/found-files.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FolderInput } from '../../ui/fields/folder-input.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx'

/** Sources that can be added to a collection, besides local files. */
export type AddKind = 'existing' | 'page' | 'text' | 'directory' | 'sync'

interface AddMenuProps {
  readonly mayUpload: boolean
  readonly mayFetch: boolean
  readonly onFiles: (files: readonly FoundFile[]) => void
  readonly onAdd: (kind: AddKind) => void
}

/** Menu of all sources that can be added to a collection. */
export function AddMenu({ mayUpload, mayFetch, onFiles, onAdd }: AddMenuProps) {
  const { t } = useTranslation()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const read = (event: ChangeEvent<HTMLInputElement>): void => {
    onFiles(fromInput(event.target.files ?? []))
    event.target.value = ''
  }
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        onChange={read}
        data-testid="knowledge-files"
      />
      <FolderInput input={folder} onFiles={onFiles} testId="knowledge-folder" />
      <Menu
        trigger={
          <Button tone="primary" icon={<Plus className="size-4" />}>
            {t('knowledge.add')}
          </Button>
        }
      >
        {mayUpload && (
          <>
            <MenuItem icon={<Upload />} onSelect={() => files.current?.click()}>
              {t('knowledge.addFiles')}
            </MenuItem>
            <MenuItem icon={<FolderUp />} onSelect={() => folder.current?.click()}>
              {t('knowledge.addFolder')}
            </MenuItem>
          </>
        )}
        <MenuItem icon={<Library />} onSelect={() => onAdd('existing')}>
          {t('knowledge.addExisting')}
        </MenuItem>
        {mayFetch && (
          <MenuItem icon={<Globe />} onSelect={() => onAdd('page')}>
            {t('knowledge.addPage')}
          </MenuItem>
        )}
        {mayUpload && (
          <MenuItem icon={<FileText />} onSelect={() => onAdd('text')}>
            {t('knowledge.addText')}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<FolderPlus />} onSelect={() => onAdd('directory')}>
          {t('knowledge.addDirectory')}
        </MenuItem>
        {mayUpload && (
          <MenuItem icon={<ArrowLeftRight />} onSelect={() => onAdd('sync')}>
            {t('knowledge.syncFolder')}
          </MenuItem>
        )}
      </Menu>
    </>
  )
}
