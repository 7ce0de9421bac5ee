import { Direction } from 'radix-ui'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { GuestLine } from '../features/auth/guest-line.tsx'
import { SessionExpiredDialog } from '../features/auth/session-expired-dialog.tsx'
import { loadSession } from '../features/auth/session-store.ts'
import { BannerBar } from '../features/banners/banner-bar.tsx'
import { closeDocument, shownDocumentStore } from '../ui/document-viewer/shown-document.ts'
import { forgetPictures, shownPicturesStore } from '../ui/pictures/shown-pictures.ts'
import { startFollowingInput } from '../lib/input-modality.ts'
import { keepAboveKeyboard } from '../lib/keep-above-keyboard.ts'
import { viewedSnapshot } from '../lib/viewed-snapshot.ts'
import { ChangedElsewhereDialog } from '../ui/dialogs/changed-elsewhere.tsx'
import { LiveRegion } from '../ui/layout/live-region.tsx'
import { Toaster } from '../ui/floating/toast.tsx'
import { TooltipProvider } from '../ui/floating/tooltip.tsx'
import { startCommands } from './palette/app-commands.ts'
import { dialogsStore } from './chats/dialogs-store.ts'
import { ErrorBoundary } from './start/error-boundary.tsx'
import { startFollowingUnread } from './following/follow-unread.ts'
import { startFollowingFocus } from './following/follow-focus.ts'
import { Palette } from './palette/palette.tsx'
import { Router } from './router.tsx'
import { startAppearance } from './start/start-appearance.ts'
import { startSession, takeDesktopSession } from './start/start-session.ts'
import { bannersStore, layoutStore, sessionStore } from './stores.ts'
import { lazyPart } from '../lib/lazy-part.ts'

const OrganiseDialogs = lazyPart(() => import('./chats/organise-dialogs.tsx'), 'OrganiseDialogs')
const DocumentDialog = lazyPart(
  () => import('../ui/document-viewer/document-dialog.tsx'),
  'DocumentDialog',
)
const ShortcutsDialog = lazyPart(() => import('./shell/shortcuts-dialog.tsx'), 'ShortcutsDialog')
const PictureViewer = lazyPart(() => import('../ui/pictures/picture-viewer.tsx'), 'PictureViewer')

function useStart(): void {
  useEffect(() => {
    const stops = [
      startFollowingInput(),
      startAppearance(),
      // In a snapshot, nothing is searched, started or changed.
      ...(viewedSnapshot === null
        ? [startCommands(), startFollowingFocus(), startFollowingUnread()]
        : []),
      keepAboveKeyboard(),
      startSession(),
    ]
    void takeDesktopSession().then(() => loadSession(sessionStore))
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
}

/** Dialogs that can be shown over every screen. */
function Overlays() {
  const signedIn = useStore(sessionStore, (state) => state.status === 'signed-in')
  const paletteOpen = useStore(layoutStore, (state) => state.paletteOpen)
  const shortcutsOpen = useStore(layoutStore, (state) => state.shortcutsOpen)
  const reading = useStore(shownDocumentStore, (state) => state.document !== null)
  const looking = useStore(shownPicturesStore, (state) => state.shown !== null)
  const organising = useStore(dialogsStore, (state) => state.open !== null)
  // No dialog of one user stays open for the next one.
  useEffect(() => {
    if (signedIn) return
    closeDocument()
    forgetPictures()
  }, [signedIn])
  return (
    <>
      {signedIn && paletteOpen && <Palette />}
      {shortcutsOpen && (
        <Suspense fallback={null}>
          <ShortcutsDialog />
        </Suspense>
      )}
      {signedIn && organising && (
        <Suspense fallback={null}>
          <OrganiseDialogs />
        </Suspense>
      )}
      {signedIn && reading && (
        <Suspense fallback={null}>
          <DocumentDialog />
        </Suspense>
      )}
      {signedIn && looking && (
        <Suspense fallback={null}>
          <PictureViewer />
        </Suspense>
      )}
    </>
  )
}

function Banners() {
  const signedIn = useStore(
    sessionStore,
    (state) => state.status === 'signed-in' || state.status === 'expired',
  )
  return signedIn && <BannerBar store={bannersStore} />
}

/** Root component of the UI. */
export function App() {
  useStart()
  const { i18n } = useTranslation()
  return (
    <Direction.Provider dir={i18n.dir()}>
      <TooltipProvider delayDuration={450} skipDelayDuration={200}>
        <ErrorBoundary>
          <div className="flex h-full flex-col">
            <Toaster />
            <Banners />
            <GuestLine store={sessionStore} />
            <div className="min-h-0 flex-1">
              <Router />
            </div>
          </div>
          <Overlays />
          <ChangedElsewhereDialog />
          <SessionExpiredDialog store={sessionStore} />
        </ErrorBoundary>
        <LiveRegion />
      </TooltipProvider>
    </Direction.Provider>
  )
}
