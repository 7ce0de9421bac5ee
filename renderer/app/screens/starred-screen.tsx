import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { StarredMessages } from '../../features/chats/starred-messages.tsx'
import { classNames } from '../../lib/class-names.ts'
import { usePageTitle } from '../../ui/layout/use-page-title.ts'
import { OpenSidebar } from '../shell/open-sidebar.tsx'
import { layoutStore } from '../stores.ts'

/** The messages the signed-in person has starred. */
export function StarredScreen() {
  const { t } = useTranslation()
  const sidebarOpen = useStore(layoutStore, (state) => state.sidebarOpen)
  const title = t('chats.starredTitle')
  usePageTitle(title)
  return (
    <div id="messages" tabIndex={-1} className="h-full overflow-y-auto outline-none">
      <div className={classNames('flex h-header items-center px-2', sidebarOpen && 'md:hidden')}>
        <OpenSidebar />
      </div>
      <div className="mx-auto w-full max-w-3xl px-4 pt-4 pb-16 sm:px-8 md:pt-10">
        <h1 className="text-head-2 font-semibold tracking-[-0.01em]">{title}</h1>
        <p className="mt-1 mb-6 text-muted">{t('chats.starredText')}</p>
        <StarredMessages />
      </div>
    </div>
  )
}
