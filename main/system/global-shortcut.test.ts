import { beforeEach, expect, test, vi } from 'vitest'
import { globalShortcutSchema } from '#desktop'
import { SystemKeys } from './global-shortcut.ts'

const electron = vi.hoisted(() => ({
  globalShortcut: {
    register: vi.fn((_keys: string, _press: () => void) => true),
    unregister: vi.fn(),
  },
}))
vi.mock('electron', () => electron)

const { globalShortcut } = electron

beforeEach(() => {
  vi.clearAllMocks()
  globalShortcut.register.mockReturnValue(true)
})

test('keys are held one at a time, and pressing them calls back', () => {
  const onPress = vi.fn()
  const keys = new SystemKeys(false, onPress)
  expect(keys.state).toBe('off')
  expect(keys.hold('Alt+Space')).toBe('active')
  globalShortcut.register.mock.calls[0]![1]()
  expect(onPress).toHaveBeenCalledOnce()
  expect(keys.hold('CmdOrCtrl+Shift+Space')).toBe('active')
  expect(globalShortcut.unregister).toHaveBeenCalledExactlyOnceWith('Alt+Space')
  expect(keys.hold(null)).toBe('off')
  expect(globalShortcut.unregister).toHaveBeenLastCalledWith('CmdOrCtrl+Shift+Space')
})

test('keys another program holds are told as taken, and let go of nothing later', () => {
  globalShortcut.register.mockReturnValue(false)
  const keys = new SystemKeys(false, vi.fn())
  expect(keys.hold('Alt+Space')).toBe('taken')
  keys.hold(null)
  expect(globalShortcut.unregister).not.toHaveBeenCalled()
})

test('keys of a command of the app are not taken from it', () => {
  const keys = new SystemKeys(false, vi.fn())
  expect(keys.hold('CmdOrCtrl+N')).toBe('taken')
  expect(globalShortcut.register).not.toHaveBeenCalled()
})

test('a Wayland desktop that gives out no keys is told apart from keys that are taken', () => {
  globalShortcut.register.mockReturnValue(false)
  expect(new SystemKeys(true, vi.fn()).hold('Alt+Space')).toBe('unavailable')
})

test('keys the system does not know are taken for nobody', () => {
  globalShortcut.register.mockImplementation(() => {
    throw new TypeError('conversion failure')
  })
  expect(new SystemKeys(false, vi.fn()).hold('Super+F24')).toBe('taken')
})

test('only keys that leave writing possible are accepted', () => {
  for (const keys of ['Alt+Space', 'CmdOrCtrl+Shift+K', 'Shift+F5', 'Super+1', 'Ctrl+Alt+F12'])
    expect(globalShortcutSchema.safeParse(keys).success, keys).toBe(true)
  for (const keys of [
    'A',
    'Shift+A',
    'Shift+Space',
    'Space',
    'Alt+',
    'Alt+Enter',
    'Alt+é',
    `${'Alt+'.repeat(20)}A`,
    'Alt+F25',
  ])
    expect(globalShortcutSchema.safeParse(keys).success, keys).toBe(false)
})
