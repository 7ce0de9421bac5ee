// @vitest-environment jsdom
import './browser-features.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ChatHeader } from '../app/chats/chat-header.tsx'
import { closeDialog, openDialog, type OpenDialog } from '../app/chats/dialogs-store.ts'
import { ErrorBoundary } from '../app/start/error-boundary.tsx'
import { OrganiseDialogs } from '../app/chats/organise-dialogs.tsx'
import { Palette } from '../app/palette/palette.tsx'
import { ChatPage } from '../app/screens/chat-page.tsx'
import { ChatTableScreen } from '../app/screens/chat-table-screen.tsx'
import { FirstRunScreen } from '../app/screens/first-run-screen.tsx'
import { SettingsScreen } from '../app/screens/settings-screen.tsx'
import { StarredScreen } from '../app/screens/starred-screen.tsx'
import { SharedChatScreen } from '../app/screens/shared-chat-screen.tsx'
import { WorkspaceScreen } from '../app/screens/workspace-screen.tsx'
import { ShortcutsDialog } from '../app/shell/shortcuts-dialog.tsx'
import { Sidebar } from '../app/shell/sidebar.tsx'
import {
  chatsStore,
  foldersStore,
  layoutStore,
  modelsStore,
  preferencesStore,
  sessionStore,
} from '../app/stores.ts'
import { AuthScreen, PendingScreen, UnreachableScreen } from '../features/auth/auth-screen.tsx'
import { SessionExpiredDialog } from '../features/auth/session-expired-dialog.tsx'
import { NO_SEARCH } from '../features/chats/chats-store.ts'
import { ModelPicker } from '../features/models/model-picker.tsx'
import { setLanguage } from '../lib/i18n.ts'
import { registerCommands } from '../lib/commands.ts'
import { SETTINGS_PAGES, WORKSPACE_AREAS } from '../lib/router.ts'
import { TooltipProvider } from '../ui/floating/tooltip.tsx'
import { fakeGateway } from './fake-gateway.ts'
import { plainEnglish } from './plain-english.ts'
import { answers, config } from './answers-without-letters.ts'
import { user } from './people-samples.ts'
import { sampleChat, sampleModel } from './samples.ts'

const today = Math.floor(Date.now() / 1000)

const show = (children: ReactNode) => render(<TooltipProvider>{children}</TooltipProvider>)

beforeEach(async () => {
  fakeGateway(answers)
  await setLanguage('en-XA')
  sessionStore.setState({ status: 'signed-in', user, config, problem: '1' })
  chatsStore.setState({
    chats: [
      sampleChat({ updated_at: today }),
      sampleChat({ id: '2', pinned: true, active: true, title: '' }),
    ],
    status: 'ready',
  })
  preferencesStore.setState({ loaded: true })
  modelsStore.setState({
    models: [sampleModel({ name: '4', connection_name: '5' })],
    status: 'ready',
  })
})
afterEach(async () => {
  cleanup()
  await setLanguage('en')
  vi.unstubAllGlobals()
})

describe('every visible string comes from the locale files', () => {
  test('in front of the product', () => {
    sessionStore.setState({ config: { ...config, onboarding: true } })
    show(
      <>
        <AuthScreen store={sessionStore} />
        <PendingScreen store={sessionStore} />
        <UnreachableScreen store={sessionStore} />
      </>,
    )
    expect(plainEnglish()).toEqual([])
    cleanup()
    sessionStore.setState({ config })
    show(<AuthScreen store={sessionStore} />)
    expect(plainEnglish()).toEqual([])
  })

  test('when the session has ended', () => {
    sessionStore.setState({ status: 'expired' })
    show(<SessionExpiredDialog store={sessionStore} />)
    expect(plainEnglish()).toEqual([])
  })

  test('in the first-run guide', async () => {
    show(<FirstRunScreen />)
    expect(plainEnglish()).toEqual([])
    fireEvent.click(screen.getAllByRole('button').at(-1)!)
    await screen.findAllByRole('listitem')
    expect(plainEnglish()).toEqual([])
    fireEvent.click(screen.getAllByRole('button').at(-1)!)
    expect(plainEnglish()).toEqual([])
  })

  test('around the chat', () => {
    show(
      <>
        <Sidebar currentId="c1" />
        <ChatHeader chatId="c1" />
        <ChatPage chatId={null} messageId={null} />
        <ModelPicker store={modelsStore} onConnect={() => undefined} />
      </>,
    )
    fireEvent.click(screen.getAllByRole('button', { expanded: false, name: /4~/ })[0]!)
    expect(plainEnglish()).toEqual([])
    cleanup()
    chatsStore.setState({ chats: [], search: { ...NO_SEARCH, text: '1', status: 'done' } })
    modelsStore.setState({ models: [] })
    show(<Sidebar currentId={null} />)
    expect(plainEnglish()).toEqual([])
  })

  test('in the palette and the list of shortcuts', () => {
    const remove = registerCommands({ 'chat.new': () => undefined, 'answer.stop': () => undefined })
    layoutStore.setState({ paletteOpen: true, shortcutsOpen: true })
    show(<Palette />)
    expect(plainEnglish()).toEqual([])
    cleanup()
    show(<ShortcutsDialog />)
    expect(plainEnglish()).toEqual([])
    remove()
  })

  for (const page of SETTINGS_PAGES) {
    test(`in the settings, ${page}`, async () => {
      show(<SettingsScreen page={page} />)
      await vi.waitFor(() => expect(document.querySelector('.animate-spin')).toBeNull(), {
        timeout: 10_000,
      })
      expect(plainEnglish()).toEqual([])
    })
  }

  for (const area of WORKSPACE_AREAS) {
    test(`in the workspace, ${area}`, async () => {
      show(<WorkspaceScreen area={area} item={null} />)
      await vi.waitFor(() => expect(document.querySelector('.animate-spin')).toBeNull(), {
        timeout: 10_000,
      })
      expect(plainEnglish()).toEqual([])
    })
  }

  test('in the editors of models, notes and tools', async () => {
    for (const [area, item] of [
      ['models', '3'],
      ['models', ''],
      ['notes', '3'],
      ['tools', '3'],
    ] as const) {
      show(<WorkspaceScreen area={area} item={item} />)
      await vi.waitFor(() => expect(document.querySelector('.animate-spin')).toBeNull(), {
        timeout: 10_000,
      })
      expect(plainEnglish()).toEqual([])
      cleanup()
    }
  })

  test('in the form of a prompt', async () => {
    show(<WorkspaceScreen area="prompts" item={null} />)
    fireEvent.click(await screen.findByRole('button', { name: '12' }))
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(plainEnglish()).toEqual([])
  })

  test('in the form of a connection', async () => {
    show(<SettingsScreen page="connections" />)
    await screen.findAllByRole('listitem')
    const add = screen
      .getAllByRole('button')
      .find((button) => button.textContent?.startsWith('Áðð'))
    fireEvent.click(add!)
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(plainEnglish()).toEqual([])
  })

  test('organising chats', async () => {
    fakeGateway({
      ...answers,
      'GET /api/v1/chats/shared/5/access': [],
      'GET /api/v1/chats/all/tags': [{ id: '7', name: '7', user_id: '1', meta: null }],
      'GET /api/v1/folders/f': { name: '3', user_id: '1', data: null },
    })
    const folder = {
      id: 'f',
      name: '3',
      meta: null,
      parent_id: null,
      is_expanded: true,
      created_at: 1,
      updated_at: 1,
      chat_count: 2,
    }
    const chat = sampleChat({ share_id: '5', tags: ['6'] })
    foldersStore.setState({ folders: [folder], status: 'ready' })
    chatsStore.setState({ selection: new Set(['c1']), showsTags: true })
    show(<Sidebar currentId="c1" />)
    expect(plainEnglish()).toEqual([])
    cleanup()
    for (const open of [
      { kind: 'rename', chat },
      { kind: 'share', chat },
      { kind: 'share', chat: sampleChat({ id: '8', share_id: null }) },
      { kind: 'move', chats: [chat] },
      { kind: 'tags', chats: [chat] },
      { kind: 'new-folder', parentId: null },
      { kind: 'folder', folder },
      { kind: 'delete-folder', folder },
    ] satisfies OpenDialog[]) {
      openDialog(open)
      show(<OrganiseDialogs />)
      await new Promise((resolve) => setTimeout(resolve))
      expect(plainEnglish()).toEqual([])
      cleanup()
    }
    closeDialog()
    chatsStore.setState({ selection: null, showsTags: false })
    foldersStore.setState({ folders: [] })
  })

  test('on the pages of archived, shared, deleted and linked chats', async () => {
    const rows = [sampleChat({ share_id: '5', tags: ['6'] })]
    const trashed = rows.map((chat) => ({ ...chat, deleted_at: 1 }))
    fakeGateway({
      'GET /api/v1/chats/archived': rows,
      'GET /api/v1/chats/shared': rows,
      'GET /api/v1/chats/trash': trashed,
      'GET /api/v1/chats/starred': [
        {
          chat_id: '1',
          message_id: '2',
          title: '3',
          archived: true,
          folder_id: null,
          role: 'user',
          model: null,
          timestamp: 1,
          starred_at: 1,
          excerpt: '',
        },
      ],
    })
    for (const page of [
      <ChatTableScreen key="1" kind="archived" />,
      <ChatTableScreen key="2" kind="shared" />,
      <ChatTableScreen key="4" kind="trash" />,
      <StarredScreen key="5" />,
      <SharedChatScreen key="3" shareId="1" />,
    ]) {
      show(page)
      await new Promise((resolve) => setTimeout(resolve, 5))
      expect(plainEnglish()).toEqual([])
      cleanup()
    }
  })

  test('when a part of the window breaks', () => {
    const Broken = (): ReactNode => {
      throw new Error('123')
    }
    vi.stubGlobal('reportError', () => undefined)
    const silenced = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    show(
      <ErrorBoundary>
        <Broken />
      </ErrorBoundary>,
    )
    expect(plainEnglish()).toEqual([])
    silenced.mockRestore()
  })
})
