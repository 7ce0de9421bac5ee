import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { createLoginItem, toDesktopFile } from './login-item.ts'

function setUp(platform: NodeJS.Platform, isPackaged = true) {
  const configFolder = mkdtempSync(path.join(tmpdir(), 'login-item-'))
  const system = {
    getLoginItemSettings: vi.fn(() => ({ openAtLogin: true }) as never),
    setLoginItemSettings: vi.fn(),
  }
  const item = createLoginItem({
    platform,
    isPackaged,
    command: ['/opt/Chat Gateway/chat-gateway'],
    options: ['--profile=/home/a/second'],
    configFolder,
    system,
  })
  return { item, system, file: path.join(configFolder, 'autostart/chat-gateway.desktop') }
}

test('on Linux a file in the person’s autostart folder starts the app hidden, and is the state shown', () => {
  const { item, file } = setUp('linux')
  expect(item.isOn()).toBe(false)
  item.set(true)
  expect(item.isOn()).toBe(true)
  expect(readFileSync(file, 'utf8')).toContain(
    'Exec="/opt/Chat Gateway/chat-gateway" "--" "--hidden" "--profile=/home/a/second"\n',
  )
  item.set(false)
  item.set(false)
  expect(existsSync(file)).toBe(false)
})

test('nothing in a path becomes a command or a field of the desktop file', () => {
  expect(toDesktopFile(['/a "b" `c` $d %u\\e'])).toContain(
    String.raw`Exec="/a \"b\" \`c\` \$d %%u\\e"`,
  )
})

test('macOS and Windows keep it themselves, with the start hidden', () => {
  for (const platform of ['darwin', 'win32'] as const) {
    const { item, system } = setUp(platform)
    expect([item.isOffered, item.isOn()]).toEqual([true, true])
    item.set(false)
    expect(system.setLoginItemSettings).toHaveBeenCalledExactlyOnceWith({
      openAtLogin: false,
      args: ['--', '--hidden', '--profile=/home/a/second'],
    })
  }
})

test('in development macOS and Windows are not asked, or they would start Electron itself', () => {
  const { item, system } = setUp('win32', false)
  expect([item.isOffered, item.isOn()]).toEqual([false, false])
  item.set(true)
  expect(system.setLoginItemSettings).not.toHaveBeenCalled()
})
