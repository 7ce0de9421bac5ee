import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../controls/icon-button.tsx'
import { Menu } from './menu.tsx'

/** A menu of further actions on an object, which `label` names. */
export function MoreMenu({ label, children }: { label: string; children: ReactNode }) {
  return <Menu trigger={<IconButton label={label} icon={<Ellipsis />} />}>{children}</Menu>
}
