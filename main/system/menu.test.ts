import type { MenuItemConstructorOptions } from 'electron'
import { expect, test, vi } from 'vitest'
import { commands } from '#desktop'
import { toMenuTemplate } from './menu.ts'

vi.mock('electron', () => ({ Menu: {} }))

const flatten = (items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flatten(item.submenu) : [])])

const platforms = ['darwin', 'win32', 'linux'] as const

function build(platform: NodeJS.Platform, allowsDevTools = false) {
  const runCommand = vi.fn()
  const quickAsk = vi.fn()
  const openWindow = vi.fn()
  const template = toMenuTemplate({ platform, allowsDevTools, runCommand, quickAsk, openWindow })
  return { runCommand, quickAsk, openWindow, items: flatten(template) }
}

test.each(platforms)(
  'every command is reachable by the menu on %s, once, with its key',
  (platform) => {
    const { items, runCommand } = build(platform)
    for (const { id, label, accelerator } of commands) {
      const found = items.filter((item) => item.id === id)
      expect(found, id).toHaveLength(1)
      expect(found[0]).toMatchObject({ label, ...(accelerator && { accelerator }) })
      found[0]!.click!(undefined as never, undefined, undefined as never)
      expect(runCommand).toHaveBeenLastCalledWith(id)
    }
  },
)

test.each(platforms)(
  'editing, zooming, closing and quitting are where people look for them on %s',
  (platform) => {
    const roles = build(platform).items.map(({ role }) => role)
    for (const role of [
      'undo',
      'redo',
      'cut',
      'copy',
      'paste',
      'selectAll',
      'zoomIn',
      'zoomOut',
      'resetZoom',
      'togglefullscreen',
      'close',
      'quit',
    ]) {
      expect(roles, role).toContain(role)
    }
  },
)

test('the quick question and another window are in the menu', () => {
  const { items, quickAsk, openWindow } = build('linux')
  items.find(({ id }) => id === 'newWindow')!.click!({} as never, undefined, undefined as never)
  expect(openWindow).toHaveBeenCalledOnce()
  items.find(({ id }) => id === 'quickAsk')!.click!({} as never, undefined, undefined as never)
  expect(quickAsk).toHaveBeenCalledOnce()
})

test('the developer tools are in the menu in development only', () => {
  expect(build('linux').items.map(({ role }) => role)).not.toContain('toggleDevTools')
  expect(build('linux', true).items.map(({ role }) => role)).toContain('toggleDevTools')
})

test('on macOS settings and about stand under the app’s name', () => {
  const [appMenu] = toMenuTemplate({
    platform: 'darwin',
    allowsDevTools: false,
    runCommand: vi.fn(),
    quickAsk: vi.fn(),
    openWindow: vi.fn(),
  })
  expect(appMenu?.role).toBe('appMenu')
  expect(flatten([appMenu!]).map(({ id }) => id)).toEqual(
    expect.arrayContaining(['settings.open', 'help.about']),
  )
})

test('no two commands share a key, and none acts on a single letter', () => {
  const keys = commands.flatMap(({ accelerator }) => accelerator ?? [])
  expect(new Set(keys).size).toBe(keys.length)
  for (const key of keys) expect(key).toContain('CmdOrCtrl+')
})
