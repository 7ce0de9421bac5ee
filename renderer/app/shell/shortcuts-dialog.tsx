import '../../lib/strings/shortcuts.ts'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { ShortcutList } from '../../ui/dialogs/shortcut-list.tsx'
import { layoutStore } from '../stores.ts'

/** All keyboard shortcuts, shown as an overlay. */
export function ShortcutsDialog() {
  const { t } = useTranslation()
  const open = useStore(layoutStore, (state) => state.shortcutsOpen)
  return (
    <Dialog
      wide
      open={open}
      onClose={() => layoutStore.setState({ shortcutsOpen: false })}
      title={t('commands.shortcuts')}
      description={t('shortcuts.hint')}
    >
      <ShortcutList />
    </Dialog>
  )
}
