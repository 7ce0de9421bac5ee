import { useTranslation } from 'react-i18next'
import { StarredMessages } from '../../features/chats/starred-messages.tsx'
import { PageHead } from '../../ui/lists/page-head.tsx'
import { usePageTitle } from '../../ui/layout/use-page-title.ts'
import { SidePageHeader } from '../shell/side-page-header.tsx'

/** The messages the signed-in person has starred. */
export function StarredScreen() {
  const { t } = useTranslation()
  const title = t('chats.starredTitle')
  usePageTitle(title)
  return (
    <div id="messages" tabIndex={-1} className="h-full overflow-y-auto outline-none">
      <SidePageHeader />
      <div className="mx-auto w-full max-w-3xl px-4 pt-4 pb-16 sm:px-8 md:pt-8">
        <PageHead title={title}>
          <p className="mb-5 text-pretty text-muted md:-mt-2">{t('chats.starredText')}</p>
          <StarredMessages />
        </PageHead>
      </div>
    </div>
  )
}
