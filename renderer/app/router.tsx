import { Suspense, useEffect } from 'react'
import { useStore } from 'zustand'
import { AuthScreen, PendingScreen, UnreachableScreen } from '../features/auth/auth-screen.tsx'
import { isGuest } from '../features/auth/session-store.ts'
import { chatPath, navigate, useRoute, type Route } from '../lib/router.ts'
import { viewedSnapshot } from '../lib/viewed-snapshot.ts'
import { ErrorBoundary } from './start/error-boundary.tsx'
import { dropStartFrame } from './start/start-frame.ts'
import { GoOnInMainWindow, isQuickWindow } from './shell/quick-window.tsx'
import { ChatPage } from './screens/chat-page.tsx'
import { Shell } from './shell/shell.tsx'
import { StartScreen } from './screens/start-screen.tsx'
import { preferencesStore, sessionStore } from './stores.ts'
import { lazyPart } from '../lib/lazy-part.ts'

const LanguageBox = lazyPart(
  () => import('../features/settings/language-choice.tsx'),
  'LanguageBox',
)
const SettingsScreen = lazyPart(() => import('./screens/settings-screen.tsx'), 'SettingsScreen')
const ChatTableScreen = lazyPart(() => import('./screens/chat-table-screen.tsx'), 'ChatTableScreen')
const StarredScreen = lazyPart(() => import('./screens/starred-screen.tsx'), 'StarredScreen')
const WorkspaceScreen = lazyPart(() => import('./screens/workspace-screen.tsx'), 'WorkspaceScreen')
const SharedChatScreen = lazyPart(
  () => import('./screens/shared-chat-screen.tsx'),
  'SharedChatScreen',
)
const ChannelPlace = lazyPart(() => import('./channels/channel-place.tsx'), 'ChannelPlace')
const PicturesScreen = lazyPart(() => import('./screens/pictures-screen.tsx'), 'PicturesScreen')
const QuickScreen = lazyPart(() => import('./screens/quick-screen.tsx'), 'QuickScreen')
const LinkScreen = lazyPart(() => import('./screens/link-screen.tsx'), 'LinkScreen')
const SnapshotScreen = lazyPart(
  () => import('../features/time-machine/view/snapshot-screen.tsx'),
  'SnapshotScreen',
)
const SignInForSnapshot = lazyPart(
  () => import('../features/time-machine/view/sign-in-for-snapshot.tsx'),
  'SignInForSnapshot',
)
const FirstRunScreen = lazyPart(() => import('./screens/first-run-screen.tsx'), 'FirstRunScreen')

/** Routes of guests: their conversations and nothing of the host. */
const OF_GUESTS: ReadonlySet<Route['name']> = new Set([
  'chat',
  'settings',
  'archived',
  'starred',
  'trash',
])
const NEW_CHAT: Route = { name: 'chat', chatId: null, message: null }

/** The screens of a signed-in user. */
function Places() {
  const asked = useRoute()
  const { welcomed, loaded } = useStore(preferencesStore)
  const isVisiting = useStore(sessionStore, isGuest)
  const route = isVisiting && !OF_GUESTS.has(asked.name) ? NEW_CHAT : asked
  useEffect(() => {
    if (route.name === 'auth') navigate(chatPath(null), { replace: true })
  }, [route])
  const hasScreen = loaded || welcomed || isVisiting
  useEffect(() => {
    if (hasScreen) dropStartFrame()
  }, [hasScreen])
  if (isQuickWindow && route.name !== 'quick') return <GoOnInMainWindow />
  if (route.name === 'quick') {
    return (
      <ErrorBoundary resetKey={route.name}>
        <QuickScreen />
      </ErrorBoundary>
    )
  }
  if (!welcomed && !isVisiting) return loaded ? <FirstRunScreen /> : <StartScreen />
  if (route.name === 'settings') {
    return (
      <ErrorBoundary resetKey={route.page}>
        <SettingsScreen page={route.page} />
      </ErrorBoundary>
    )
  }
  if (route.name === 'share') {
    return (
      <ErrorBoundary resetKey={route.shareId}>
        <SharedChatScreen key={route.shareId} shareId={route.shareId} />
      </ErrorBoundary>
    )
  }
  if (route.name === 'link') {
    return (
      <Shell>
        <ErrorBoundary resetKey={route.asked}>
          <LinkScreen key={route.asked} asked={route.asked} />
        </ErrorBoundary>
      </Shell>
    )
  }
  if (route.name === 'workspace') {
    return (
      <Shell>
        <ErrorBoundary resetKey={`${route.area} ${route.item ?? ''}`}>
          <WorkspaceScreen area={route.area} item={route.item} />
        </ErrorBoundary>
      </Shell>
    )
  }
  if (route.name === 'archived' || route.name === 'shared' || route.name === 'trash') {
    return (
      <Shell>
        <ErrorBoundary resetKey={route.name}>
          <ChatTableScreen key={route.name} kind={route.name} />
        </ErrorBoundary>
      </Shell>
    )
  }
  if (route.name === 'starred') {
    return (
      <Shell>
        <ErrorBoundary resetKey={route.name}>
          <StarredScreen />
        </ErrorBoundary>
      </Shell>
    )
  }
  if (route.name === 'pictures') {
    return (
      <Shell>
        <ErrorBoundary resetKey={route.name}>
          <Suspense>
            <PicturesScreen />
          </Suspense>
        </ErrorBoundary>
      </Shell>
    )
  }
  if (route.name === 'channel') {
    return (
      <Shell>
        <ErrorBoundary resetKey={route.channelId}>
          <Suspense>
            <ChannelPlace
              channelId={route.channelId}
              messageId={route.message}
              threadId={route.thread}
            />
          </Suspense>
        </ErrorBoundary>
      </Shell>
    )
  }
  return (
    <Shell>
      {route.name === 'chat' ? (
        <ChatPage chatId={route.chatId} messageId={route.message} asked={route.beginning} />
      ) : (
        <ChatPage chatId={null} messageId={null} />
      )}
    </Shell>
  )
}

/** Selects the screen: first by session state, then by URL. */
export function Router() {
  const status = useStore(sessionStore, (state) => state.status)
  if (status === 'loading') return <StartScreen />
  const gate = {
    store: sessionStore,
    footer: (
      <Suspense fallback={<span className="h-primary pointer-coarse:h-11" />}>
        <LanguageBox store={preferencesStore} />
      </Suspense>
    ),
  }
  if (status === 'unreachable') return <UnreachableScreen {...gate} />
  if (viewedSnapshot !== null)
    return (
      <Suspense fallback={<StartScreen />}>
        {status === 'signed-in' || status === 'expired' ? (
          <SnapshotScreen snapshotId={viewedSnapshot} />
        ) : (
          <SignInForSnapshot />
        )}
      </Suspense>
    )
  if (status === 'signed-out') return <AuthScreen {...gate} />
  if (status === 'pending') return <PendingScreen {...gate} />
  return (
    <Suspense fallback={<StartScreen />}>
      <Places />
    </Suspense>
  )
}
