import { PanelLeftOpen } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { toggleSidebar } from './layout-store.ts'
import { layoutStore } from '../stores.ts'

/** Button that shows the chat list again, for header bars displayed while the list is hidden. */
export function OpenSidebar() {
  const { t } = useTranslation()
  return (
    <IconButton
      label={t('common.openSidebar')}
      accelerator="CmdOrCtrl+B"
      icon={<PanelLeftOpen className="rtl:-scale-x-100" />}
      onClick={() => toggleSidebar(layoutStore)}
    />
  )
}
