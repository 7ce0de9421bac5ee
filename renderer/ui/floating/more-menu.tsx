import { Ellipsis, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../controls/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from './menu.tsx'

/** A menu of further actions on an object, which `label` names. */
export function MoreMenu({ label, children }: { label: string; children: ReactNode }) {
  return <Menu trigger={<IconButton label={label} icon={<Ellipsis />} />}>{children}</Menu>
}

/** The last item of such a menu, set apart: deletes or removes the object. */
export function RemovalItem({ label, onSelect }: { label?: string; onSelect: () => void }) {
  const { t } = useTranslation()
  return (
    <>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 />} onSelect={onSelect}>
        {label ?? t('common.delete')}
      </MenuItem>
    </>
  )
}
