import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { GalleryPage } from '../../features/pictures/gallery-page.tsx'
import { createPicturesStore } from '../../features/pictures/pictures-store.ts'
import { classNames } from '../../lib/class-names.ts'
import { PageHead } from '../../ui/lists/page-head.tsx'
import { usePageTitle } from '../../ui/layout/use-page-title.ts'
import { OpenSidebar } from '../shell/open-sidebar.tsx'
import { mayEditPictures, mayMakePictures } from '../person/permissions.ts'
import { layoutStore, sessionStore } from '../stores.ts'

/** The pictures of the signed-in person. */
export function PicturesScreen() {
  const { t } = useTranslation()
  const userId = useStore(sessionStore, (state) => state.user?.id ?? '')
  const mayMake = useStore(sessionStore, mayMakePictures)
  const mayEdit = useStore(sessionStore, mayEditPictures)
  const sidebarOpen = useStore(layoutStore, (state) => state.sidebarOpen)
  const rights = useMemo(() => ({ mayMake, mayEdit }), [mayMake, mayEdit])
  // oxlint-disable-next-line react/exhaustive-deps -- each user has separate pictures
  const store = useMemo(createPicturesStore, [userId])
  const title = t('workspace.pictures')
  usePageTitle(title)
  return (
    <div id="messages" tabIndex={-1} className="flex h-full flex-col overflow-y-auto outline-none">
      <div
        className={classNames(
          'flex h-header shrink-0 items-center px-2',
          sidebarOpen && 'md:hidden',
        )}
      >
        <OpenSidebar />
      </div>
      <div className="mx-auto w-full max-w-5xl px-4 pt-4 pb-16 sm:px-8 md:pt-8">
        <PageHead title={title}>
          <GalleryPage store={store} rights={rights} />
        </PageHead>
      </div>
    </div>
  )
}
