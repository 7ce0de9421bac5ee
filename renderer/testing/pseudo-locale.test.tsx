import './browser-features.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { GatewayConfig } from '#contract/system.ts'
import { DEFAULT_PERMISSIONS } from '#contract/permissions.ts'
import { ChatHeader } from '../app/chat-header.tsx'
import { closeDialog, openDialog, type OpenDialog } from '../app/dialogs-store.ts'
import { ErrorBoundary } from '../app/error-boundary.tsx'
import { OrganiseDialogs } from '../app/organise-dialogs.tsx'
import { Palette } from '../app/palette.tsx'
import { ChatPage } from '../app/screens/chat-page.tsx'
import { ChatTableScreen } from '../app/screens/chat-table-screen.tsx'
import { FirstRunScreen } from '../app/screens/first-run-screen.tsx'
import { SettingsScreen } from '../app/screens/settings-screen.tsx'
import { SharedChatScreen } from '../app/screens/shared-chat-screen.tsx'
import { WorkspaceScreen } from '../app/screens/workspace-screen.tsx'
import { ShortcutsDialog } from '../app/shortcuts-dialog.tsx'
import { Sidebar } from '../app/sidebar.tsx'
import { chatsStore, foldersStore, layoutStore, modelsStore, sessionStore } from '../app/stores.ts'
import { AuthScreen, PendingScreen, UnreachableScreen } from '../features/auth/auth-screen.tsx'
import { SessionExpiredDialog } from '../features/auth/session-expired-dialog.tsx'
import { NO_SEARCH } from '../features/chats/chats-store.ts'
import { ModelPicker } from '../features/models/model-picker.tsx'
import { setLanguage } from '../lib/i18n.ts'
import { registerCommands } from '../lib/commands.ts'
import { SETTINGS_PAGES, WORKSPACE_AREAS } from '../lib/router.ts'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { fakeGateway } from './fake-gateway.ts'
import { sampleChat, sampleConnection, sampleModel, sampleModelRow, samplePrompt } from './samples.ts'

/** Data without a Latin letter, so that every letter on the screen has to come from the strings. */
const user = { id: '1', name: '12 34', email: '1@2', role: 'admin' as const, profile_image_url: '', permissions: {} }
const config: GatewayConfig = {
  status: true,
  name: '77',
  version: '0.9.6',
  product_version: '1.0.0',
  default_locale: '',
  mode: 'server',
  oauth: { providers: {}, auto_redirect: false },
  features: { enable_signup: true, enable_api_keys: false },
}
const connection = sampleConnection({ name: '5', url: '127.0.0.1', key_hint: '…' })
const setting = {
  key: '9',
  type: 'boolean',
  value: true,
  default: false,
  origin: 'stored',
  locked: true,
  secret: false,
  is_set: true,
  help: '8',
  group: 'network',
}
const apiKey = {
  id: '1',
  name: '3',
  hint: '…',
  created_at: 1,
  last_used_at: 1,
  last_used_by: '4',
  expires_at: 1,
  allowed_models: ['5'],
  allowed_endpoints: ['6'],
  daily_requests: 7,
  daily_tokens: 8,
  today: { requests: 1, tokens: 2, resets_at: 1 },
}
const account = { ...user, is_first: true, group_ids: ['2'], last_active_at: 1, created_at: 1, updated_at: 1 }
const group = { id: '2', name: '22', description: '33', permissions: { workspace: { models: true } }, member_count: 1 }
const record = { id: '1', seq: 1, time: 1, method: '1', path: '2', status: 404, milliseconds: 3, program: '4', user: null, error: '5' }
const note = {
  id: '3',
  user_id: '1',
  title: '4',
  data: { content: { md: '5' } },
  meta: {},
  is_pinned: true,
  created_at: 1,
  updated_at: 1,
  write_access: true,
  user: null,
  access_grants: [{ principal_type: 'user', principal_id: '*', permission: 'read' }],
  access_control: null,
}
const file = {
  id: '8',
  user_id: '1',
  hash: '2',
  filename: '3',
  data: { status: 'failed', error: '4' },
  meta: { name: '3', content_type: '5', size: 6_000, data: {}, collection_name: null },
  created_at: 1,
  updated_at: 1,
}
const toolServer = {
  type: 'mcp',
  url: '',
  path: '',
  auth_type: 'none',
  key: '',
  headers: {},
  config: { enable: true, access_grants: [], access_control: null, function_name_filter_list: '', approval: null },
  info: { id: '1', name: '2', description: '3', oauth_client_info: null },
  spec_type: 'url',
  spec: '',
  command: '4',
  args: ['5'],
  env: {},
}
const plugin = {
  id: '1',
  user_id: '1',
  name: '2',
  meta: { description: '3', manifest: { version: '4', author: '5' } },
  has_user_valves: true,
  write_access: true,
  fault: null,
  user: null,
  created_at: 1,
  updated_at: 1,
  access_grants: [],
  access_control: null,
}
const answers = {
  'GET /api/v1/connections': [
    connection,
    { ...connection, id: '2', origin: 'found', state: { ...connection.state, status: 'unknown' } },
    { ...connection, id: '3', origin: 'environment', state: { ...connection.state, status: 'failed', detail: '6' } },
  ],
  'GET /api/v1/settings': [setting, { ...setting, key: '10', type: 'string', value: '1', default: '2', locked: false }],
  'GET /api/v1/prompts/': [samplePrompt({ command: '1', name: '12', content: '{{3}}', tags: ['5'], is_active: false })],
  'GET /api/v1/models/list': {
    items: [sampleModelRow({ id: '3', name: '4', base_model_id: '9', meta: { tags: [{ name: '5' }] } })],
    total: 1,
  },
  'GET /api/models/base': { data: [sampleModel({ id: '7', name: '7', connection_name: '5' })] },
  'GET /api/v1/models/base': [sampleModelRow({ id: '7', name: '8', base_model_id: null })],
  'GET /api/v1/configs/models': { DEFAULT_MODELS: '7', DEFAULT_PINNED_MODELS: '7', MODEL_ORDER_LIST: [] },
  'GET /api/v1/models/prices': [{ model: '1', input: 1, output: 2, currency: '…' }],
  'GET /api/v1/evaluations/config': {
    ENABLE_EVALUATION_ARENA_MODELS: true,
    EVALUATION_ARENA_MODELS: [{ id: '1', name: '2', meta: { model_ids: ['3'], filter_mode: 'exclude' } }],
  },
  'GET /api/v1/configs/tool_servers': { TOOL_SERVER_CONNECTIONS: [toolServer] },
  'GET /api/v1/tool_servers': [
    {
      id: '1',
      name: '2',
      status: 'changed',
      detail: '3',
      checked_at: 1,
      tools: [{ name: '4', description: '5', parameters: {} }],
      changed_tools: ['4'],
      fingerprint: '6',
      sessions: 0,
    },
  ],
  'GET /api/v1/tools/list': [plugin],
  'GET /api/v1/functions/list': [{ ...plugin, type: 'filter', is_active: true, is_global: true, fault: '7' }],
  'GET /api/v1/plugins/state': {
    python: { status: 'missing', path: null, version: null, detail: '8' },
    environments: [{ id: '1', requirements: ['2'], status: 'failed', log: ['3'], detail: '4' }],
    workers: [],
    faults: [],
  },
  'GET /api/v1/files/': { items: [file, { ...file, id: '9', data: { status: 'pending' } }], total: 3 },
  'GET /api/v1/files/usage': { count: 2, bytes: 9_000, quota_bytes: 99_000, max_file_bytes: null, max_count: null, allowed_extensions: [] },
  'GET /api/v1/knowledge/': { items: [], total: 0 },
  'GET /api/v1/retrieval/engine/suggestions': [],
  'GET /api/v1/retrieval/engine': {
    engine: 'built-in',
    kind: 'built-in',
    model: null,
    dimensions: 768,
    problem: null,
    documents: { total: 2, current: 1, failed: 0 },
    chunks: 4,
    reindex: { done: 1, total: 2, document: null },
  },
  'GET /api/v1/notes/search': { items: [note], total: 2 },
  'GET /api/v1/notes/3': note,
  'GET /api/v1/memories/': [{ id: '1', user_id: '1', content: '7', created_at: 1, updated_at: 1 }],
  'GET /api/v1/auths/api_keys': [apiKey],
  'GET /api/v1/auths/sessions': [true, false].map((current) => ({
    id: `${current}`,
    last_used_at: 1,
    user_agent: '',
    address: '1',
    current,
  })),
  'GET /api/v1/users/': { users: [account, { ...account, id: '2', role: 'pending', is_first: false, last_active_at: null }], total: 40 },
  'GET /api/v1/groups/': [group],
  'GET /api/v1/users/default/permissions': DEFAULT_PERMISSIONS,
  'GET /api/v1/requests': { items: [record], total: 1, enabled: true, bodies: false, size: 5 },
  'GET /api/v1/requests/stream': () => new Response(new ReadableStream()),
  'GET /openapi.json': { paths: { '/1': { get: { operationId: '1', tags: ['2'], summary: '3' } } } },
  'GET /api/config': { ...config, default_prompt_suggestions: [{ title: ['1', '2'], content: '3' }] },
  'GET /api/v1/configs/banners': [{ id: '1', type: 'info', title: '1', content: '2', dismissible: true, timestamp: 1 }],
  'GET /api/v1/auths/admin/config': { PENDING_USER_OVERLAY_TITLE: '', PENDING_USER_OVERLAY_CONTENT: '' },
}

/** Keys of the keyboard, and examples of addresses and months, which are no language. */
const isExempt = (element: Element | null): boolean => element?.closest('kbd, [data-exempt]') !== null
const withoutData = (text: string): string =>
  text
    .replace(/https?:\/\/\S+/g, '')
    .replace(/\d+:\d\d\s[AP]M/g, '')
    .replace(new RegExp(new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(1000), 'g'), '')
    // Sizes are written by the platform, as dates are.
    .replaceAll(/\d kB/g, '')

function plainEnglish(): string[] {
  const found: string[] = []
  const check = (text: string | null): void => {
    if (text && /[A-Za-z]{2,}/.test(withoutData(text))) found.push(text)
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement
    if (!isExempt(parent) && parent?.tagName !== 'STYLE') check(walker.currentNode.textContent)
  }
  for (const element of document.body.querySelectorAll('*')) {
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) check(element.getAttribute(name))
  }
  return found
}

const today = Math.floor(Date.now() / 1000)

const show = (children: ReactNode) => render(<TooltipProvider>{children}</TooltipProvider>)

beforeEach(async () => {
  fakeGateway(answers)
  await setLanguage('en-XA')
  sessionStore.setState({ status: 'signed-in', user, config, problem: '1' })
  chatsStore.setState({
    chats: [sampleChat({ updated_at: today }), sampleChat({ id: '2', pinned: true, active: true, title: '' })],
    status: 'ready',
  })
  modelsStore.setState({ models: [sampleModel({ name: '4', connection_name: '5' })], status: 'ready' })
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
      await vi.waitFor(() => expect(document.querySelector('.animate-spin')).toBeNull(), { timeout: 10_000 })
      expect(plainEnglish()).toEqual([])
    })
  }

  for (const area of WORKSPACE_AREAS) {
    test(`in the workspace, ${area}`, async () => {
      show(<WorkspaceScreen area={area} item={null} />)
      await vi.waitFor(() => expect(document.querySelector('.animate-spin')).toBeNull())
      expect(plainEnglish()).toEqual([])
    })
  }

  test('in the editors of models and notes', async () => {
    for (const [area, item] of [
      ['models', '3'],
      ['models', ''],
      ['notes', '3'],
    ] as const) {
      show(<WorkspaceScreen area={area} item={item} />)
      await vi.waitFor(() => expect(document.querySelector('.animate-spin')).toBeNull())
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
    const add = screen.getAllByRole('button').find((button) => button.textContent?.startsWith('Áðð'))
    fireEvent.click(add!)
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(plainEnglish()).toEqual([])
  })

  test('organising chats', async () => {
    fakeGateway({
      ...answers,
      'GET /api/v1/chats/shared/5/access': { access_grants: [], access_control: null },
      'GET /api/v1/chats/all/tags': [{ id: '7', name: '7', user_id: '1', meta: null }],
      'GET /api/v1/folders/f': { name: '3', user_id: '1', data: null },
    })
    const folder = { id: 'f', name: '3', meta: null, parent_id: null, is_expanded: true, created_at: 1, updated_at: 1, chat_count: 2 }
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
    fakeGateway({ 'GET /api/v1/chats/archived': rows, 'GET /api/v1/chats/shared': rows, 'GET /api/v1/chats/trash': trashed })
    for (const page of [
      <ChatTableScreen key="1" kind="archived" />,
      <ChatTableScreen key="2" kind="shared" />,
      <ChatTableScreen key="4" kind="trash" />,
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
