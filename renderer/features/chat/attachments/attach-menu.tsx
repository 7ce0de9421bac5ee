import { BookOpenText, Globe, NotebookPen, Paperclip, Upload } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { Menu, MenuItem } from '../../../ui/floating/menu.tsx'
import type { AttachedEntry } from '../../../ui/attachments/attached-entry.ts'
import type { Attachments } from '../../../ui/attachments/attachments-store.ts'
import { PageDialog } from './page-dialog.tsx'
import { PickDialog, type PickKind } from './pick-dialog.tsx'

interface AttachMenuProps {
  readonly attachments: Attachments
  readonly rights: AttachRights
}

/** Permissions for attachments. */
export interface AttachRights {
  readonly upload: boolean
  readonly page: boolean
  readonly notes: boolean
  readonly knowledge: boolean
}

/** The menu behind the paper clip. */
export function AttachMenu({ attachments, rights }: AttachMenuProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [asked, setAsked] = useState<PickKind | 'page' | null>(null)
  const add = (entry: AttachedEntry): void => attachments.add(entry)
  const read = (event: ChangeEvent<HTMLInputElement>): void => {
    attachments.uploads.add([...(event.target.files ?? [])])
    event.target.value = ''
  }
  if (!Object.values(rights).includes(true)) return null
  return (
    <>
      <input ref={input} type="file" multiple hidden onChange={read} data-testid="attach-files" />
      <Menu
        align="start"
        side="top"
        trigger={
          <IconButton
            label={t('chat.composer.attach')}
            side="top"
            icon={<Paperclip />}
            className="rounded-full!"
          />
        }
      >
        {rights.upload && (
          <MenuItem icon={<Upload />} onSelect={() => input.current?.click()}>
            {t('chat.attachments.files')}
          </MenuItem>
        )}
        {rights.knowledge && (
          <MenuItem icon={<BookOpenText />} onSelect={() => setAsked('collection')}>
            {t('chat.attachments.knowledge')}
          </MenuItem>
        )}
        {rights.notes && (
          <MenuItem icon={<NotebookPen />} onSelect={() => setAsked('note')}>
            {t('chat.attachments.note')}
          </MenuItem>
        )}
        {rights.page && (
          <MenuItem icon={<Globe />} onSelect={() => setAsked('page')}>
            {t('chat.attachments.page')}
          </MenuItem>
        )}
      </Menu>
      {asked === 'page' && <PageDialog onAdd={add} onClose={() => setAsked(null)} />}
      {asked !== null && asked !== 'page' && (
        <PickDialog kind={asked} onAdd={add} onClose={() => setAsked(null)} />
      )}
    </>
  )
}
