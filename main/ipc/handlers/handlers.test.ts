import type { BrowserWindow } from 'electron'
import { beforeEach, expect, test, vi } from 'vitest'
import { languages } from '../../system/language.ts'
import type { ShellStateStore } from '../../profile/shell-state.ts'
import { createAppHandlers } from './app.ts'
import { createWindowHandlers } from './window.ts'

const electron = vi.hoisted(() => {
  const shown: { options: object; click: () => void }[] = []
  class Notification {
    static isSupported = () => true
    readonly options: object
    click = (): void => undefined
    constructor(options: object) {
      this.options = options
    }
    on(_name: string, listener: () => void): void {
      this.click = listener
    }
    show(): void {
      shown.push(this)
    }
  }
  return {
    app: { getVersion: () => '1.2.3' },
    shell: { openPath: vi.fn() },
    nativeTheme: { themeSource: 'system' },
    Notification,
    shown,
  }
})
vi.mock('electron', () => electron)

beforeEach(() => {
  electron.shown.length = 0
})

const toContext = (isFocused: boolean) => ({
  window: { isFocused: () => isFocused } as BrowserWindow,
})

function setUp() {
  const restartGateway = vi.fn(async () => undefined)
  const openPlace = vi.fn()
  const openExternal = vi.fn(async () => true)
  const update = vi.fn()
  const onLanguage = vi.fn()
  const onUnread = vi.fn()
  const onProgress = vi.fn()
  const front = { isIn: false }
  const appHandlers = createAppHandlers({
    gatewayUrl: () => 'http://127.0.0.1:8642',
    dataFolder: '/profile/data',
    secrets: { kind: 'file', warning: 'file' },
    restartGateway,
    takeSessionKey: () => 'half of the window',
  })
  const windowHandlers = createWindowHandlers({
    state: { update } as unknown as ShellStateStore,
    openExternal,
    onLanguage,
    onUnread,
    onProgress,
    isInFront: () => front.isIn,
    openPlace,
  })
  return {
    handlers: { ...appHandlers, ...windowHandlers },
    restartGateway,
    openPlace,
    openExternal,
    onLanguage,
    onUnread,
    onProgress,
    front,
    update,
  }
}

const idle = toContext(false)

test('the about page learns versions, address, data folder and how well the root key is kept, but no key', () => {
  expect(setUp().handlers['app.info']({}, idle)).toMatchObject({
    productVersion: '1.2.3',
    gatewayUrl: 'http://127.0.0.1:8642',
    dataFolder: '/profile/data',
    secrets: { kind: 'file', warning: expect.stringContaining('kept in a file') },
  })
})

test('the page gets its half of the session', async () => {
  expect(await setUp().handlers['session.takeKey']({}, idle)).toEqual({ key: 'half of the window' })
})

test('the data folder opens in the file manager; a refusal of the system is an error', async () => {
  const { handlers } = setUp()
  electron.shell.openPath.mockResolvedValueOnce('')
  expect(await handlers['data.openFolder']({}, idle)).toEqual({})
  expect(electron.shell.openPath).toHaveBeenCalledWith('/profile/data')
  electron.shell.openPath.mockResolvedValueOnce('No program is set for folders')
  await expect(handlers['data.openFolder']({}, idle)).rejects.toThrow(
    'No program is set for folders',
  )
})

test('a restart of the gateway and an outside address are handed on', async () => {
  const { handlers, restartGateway, openExternal } = setUp()
  await handlers['gateway.restart']({}, idle)
  expect(restartGateway).toHaveBeenCalledOnce()
  expect(await handlers['shell.openExternal']({ url: 'https://example.org/' }, idle)).toEqual({
    opened: true,
  })
  expect(openExternal).toHaveBeenCalledExactlyOnceWith('https://example.org/', idle.window)
})

test('the theme takes effect at once and is remembered for the next start', () => {
  const { handlers, update } = setUp()
  expect(handlers['window.setTheme']({ theme: 'dark' }, idle)).toEqual({})
  expect(electron.nativeTheme.themeSource).toBe('dark')
  expect(update).toHaveBeenCalledExactlyOnceWith({ theme: 'dark' })
})

test('the language of the interface is remembered, and menus are made anew when it is another one', () => {
  const { handlers, update, onLanguage } = setUp()
  expect(handlers['window.setLanguage']({ language: 'en' }, idle)).toEqual({})
  expect(update).toHaveBeenCalledExactlyOnceWith({ language: 'en' })
  expect(onLanguage).not.toHaveBeenCalled()
  const other = languages.find((language) => language !== 'en')
  if (other === undefined) return
  void handlers['window.setLanguage']({ language: other }, idle)
  void handlers['window.setLanguage']({ language: other }, idle)
  expect(onLanguage).toHaveBeenCalledOnce()
  void handlers['window.setLanguage']({ language: 'en' }, idle)
  expect(onLanguage).toHaveBeenCalledTimes(2)
})

test('a notification is shown while the window is not in front, and a click opens its chat', () => {
  const { handlers, openPlace } = setUp()
  const input = { title: 'Answer finished', body: 'About bridges', path: '/c/chat-1' }
  expect(handlers['notification.show'](input, toContext(true))).toEqual({ shown: false })
  expect(handlers['notification.show'](input, idle)).toEqual({ shown: true })
  expect(electron.shown).toHaveLength(1)
  electron.shown[0]!.click()
  expect(openPlace).toHaveBeenCalledExactlyOnceWith('/c/chat-1')
})

test('of several windows that hear of the same answer one notifies, and none while another is in front', () => {
  const { handlers, front } = setUp()
  const input = { title: 'Answer finished', body: 'About bridges', path: '/c/chat-1' }
  front.isIn = true
  expect(handlers['notification.show'](input, idle)).toEqual({ shown: false })
  front.isIn = false
  expect(handlers['notification.show'](input, idle)).toEqual({ shown: true })
  expect(handlers['notification.show'](input, idle)).toEqual({ shown: false })
  expect(handlers['notification.show']({ ...input, body: 'Another' }, idle)).toEqual({
    shown: true,
  })
})

test('what is unread is handed on for the mark beside the icon', async () => {
  const { handlers, onUnread, onProgress } = setUp()
  expect(await handlers['window.setMarks']({ unread: 3 }, idle)).toEqual({})
  expect(onUnread).toHaveBeenCalledExactlyOnceWith(3)
  expect(onProgress).not.toHaveBeenCalled()
})

test('how far downloads of models are is handed on for the taskbar', async () => {
  const { handlers, onProgress } = setUp()
  expect(await handlers['window.setMarks']({ downloads: 0.25 }, idle)).toEqual({})
  expect(onProgress).toHaveBeenCalledExactlyOnceWith(0.25)
})
