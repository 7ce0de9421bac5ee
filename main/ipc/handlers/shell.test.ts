import type { BrowserWindow } from 'electron'
import { expect, test, vi } from 'vitest'
import type { ShortcutState } from '#desktop'
import type { QuickAsk } from '../../windows/quick-ask.ts'
import { ShellStateFile, type ShellState } from '../../profile/shell-state.ts'
import { createShellHandlers } from './shell.ts'

const small = { name: 'small' } as unknown as BrowserWindow
const large = { name: 'large' } as unknown as BrowserWindow

function setUp(shortcutState: ShortcutState = 'active') {
  const current = { ...new ShellStateFile('/nowhere/shell.json').current }
  const state = {
    current,
    update: (change: Partial<ShellState>) => void Object.assign(current, change),
    remember: vi.fn(),
  }
  const keys = { state: shortcutState, hold: vi.fn(() => shortcutState) }
  const quickAsk = {
    prepare: vi.fn(),
    setStaysOnTop: vi.fn(),
    act: vi.fn(),
    owns: (window: BrowserWindow) => window === small,
  }
  const login = { isOn: false }
  const loginItem = {
    isOffered: true,
    isOn: () => login.isOn,
    set: (isOn: boolean) => void (login.isOn = isOn),
  }
  const paused = { isOn: false }
  const pause = {
    isOn: () => paused.isOn,
    set: (isOn: boolean) => void (paused.isOn = isOn),
  }
  const onSpelling = vi.fn()
  const onUpdates = vi.fn()
  const handlers = createShellHandlers({
    state,
    keys,
    quickAsk: quickAsk as unknown as QuickAsk,
    loginItem,
    pause,
    onSpelling,
    onUpdates,
    platform: 'linux',
  })
  return { handlers, current, keys, quickAsk, onSpelling, onUpdates }
}

test('without a change everything is answered and nothing touched', () => {
  const { handlers, keys, quickAsk } = setUp('off')
  expect(handlers['shell.settings']({ change: {} }, { window: large })).toEqual({
    quickAskShortcut: null,
    quickAskShortcutState: 'off',
    quickAskStaysOnTop: true,
    staysInTray: false,
    startsAtLogin: false,
    isPaused: false,
    offersLogin: true,
    checksSpelling: false,
    downloadsWordList: true,
    updates: null,
  })
  expect(keys.hold).not.toHaveBeenCalled()
  expect(quickAsk.setStaysOnTop).not.toHaveBeenCalled()
})

test('chosen keys are kept, held at once, and the window is made before it is wanted', () => {
  const { handlers, current, keys, quickAsk } = setUp()
  void handlers['shell.settings']({ change: { quickAskShortcut: 'Alt+Space' } }, { window: large })
  expect(current.quickAskShortcut).toBe('Alt+Space')
  expect(keys.hold).toHaveBeenCalledExactlyOnceWith('Alt+Space')
  expect(quickAsk.prepare).toHaveBeenCalledOnce()
  void handlers['shell.settings']({ change: { quickAskShortcut: null } }, { window: large })
  expect(keys.hold).toHaveBeenLastCalledWith(null)
  expect(quickAsk.prepare).toHaveBeenCalledOnce()
})

test('keys that are taken are told', () => {
  const { handlers } = setUp('taken')
  expect(
    handlers['shell.settings']({ change: { quickAskShortcut: 'Alt+Space' } }, { window: large }),
  ).toMatchObject({ quickAskShortcut: 'Alt+Space', quickAskShortcutState: 'taken' })
})

test('the small window stays in front or not as soon as that is chosen', () => {
  const { handlers, quickAsk } = setUp()
  void handlers['shell.settings']({ change: { quickAskStaysOnTop: false } }, { window: large })
  expect(quickAsk.setStaysOnTop).toHaveBeenCalledExactlyOnceWith(false)
})

test('only the small window moves itself', () => {
  const { handlers, quickAsk } = setUp()
  void handlers['quickAsk.act']({ act: 'hide' }, { window: large })
  expect(quickAsk.act).not.toHaveBeenCalled()
  void handlers['quickAsk.act']({ act: 'hide' }, { window: small })
  expect(quickAsk.act).toHaveBeenCalledExactlyOnceWith({ act: 'hide' })
})

test('the start at login is what the system has, and is not kept a second time', () => {
  const { handlers, current } = setUp()
  expect(
    handlers['shell.settings']({ change: { startsAtLogin: true } }, { window: large }),
  ).toMatchObject({ startsAtLogin: true })
  expect(current).not.toHaveProperty('startsAtLogin')
})

test('spelling is checked or not as soon as that is chosen', () => {
  const { handlers, onSpelling } = setUp()
  expect(
    handlers['shell.settings']({ change: { checksSpelling: true } }, { window: large }),
  ).toMatchObject({ checksSpelling: true })
  expect(onSpelling).toHaveBeenCalledOnce()
})

test('a pause is answered as it is, and is forgotten with the app', () => {
  const { handlers, current } = setUp()
  expect(
    handlers['shell.settings']({ change: { isPaused: true } }, { window: large }),
  ).toMatchObject({ isPaused: true })
  expect(current).not.toHaveProperty('isPaused')
})

test('whether new versions are looked for is remembered and takes effect at once', () => {
  const { handlers, current, onUpdates } = setUp('off')
  const answer = handlers['shell.settings']({ change: { updates: 'ask' } }, { window: large })
  expect(answer).toMatchObject({ updates: 'ask' })
  expect(current.updates).toBe('ask')
  expect(onUpdates).toHaveBeenCalledOnce()
})
