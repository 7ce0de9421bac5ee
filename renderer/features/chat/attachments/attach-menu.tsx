import { Paperclip } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { Menu, MenuItem } from '../../../ui/floating/menu.tsx'
import type { Attachments } from '../../../ui/attachments/attachments-store.ts'
import { type AttachRights, useAttaching } from './use-attaching.tsx'

interface AttachMenuProps {
  readonly attachments: Attachments
  readonly rights: AttachRights
}

/** The menu behind the paper clip. */
export function AttachMenu({ attachments, rights }: AttachMenuProps) {
  const { t } = useTranslation()
  const { ways, parts } = useAttaching(attachments, rights)
  const entries = ways.flatMap(({ key, ...way }) => (key === 'camera' ? [] : [{ key, ...way }]))
  if (entries.length === 0) return null
  return (
    <>
      {parts}
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
        {entries.map(({ key, icon, choose }) => (
          <MenuItem key={key} icon={icon} onSelect={choose}>
            {t(`chat.attachments.${key}`)}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
