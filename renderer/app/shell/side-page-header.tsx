import { ArrowLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../lib/class-names.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { lastChatPath } from '../../lib/router.ts'
import { layoutStore } from '../stores.ts'
import { OpenSidebar } from './open-sidebar.tsx'

/** Header of a page beside the chats: a way to the chat list and, on phones, to the last chat. */
export function SidePageHeader() {
  const { t } = useTranslation()
  const sidebarOpen = useStore(layoutStore, (state) => state.sidebarOpen)
  return (
    <div className={classNames('flex h-header items-center px-2', sidebarOpen && 'md:hidden')}>
      <OpenSidebar />
      <a
        href={lastChatPath()}
        onClick={handleLink}
        className="ms-1 inline-flex min-h-11 items-center gap-2 rounded-medium px-2.5 font-medium text-muted no-underline hover:bg-hover hover:text-ink md:hidden"
      >
        <ArrowLeft className="size-4 rtl:-scale-x-100" />
        {t('settings.back')}
      </a>
    </div>
  )
}
