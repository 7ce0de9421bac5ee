import { expect, test, vi } from 'vitest'
import { toTrayTemplate, type TrayActions } from './tray.ts'

const { writeText } = vi.hoisted(() => ({ writeText: vi.fn() }))
vi.mock('electron', () => ({ clipboard: { writeText }, Menu: {}, nativeImage: {}, Tray: class {} }))

const actions = {
  open: vi.fn(),
  quickAsk: vi.fn(),
  restart: vi.fn(),
  isPaused: () => false,
  setPaused: vi.fn(),
  quit: vi.fn(),
  staysInTray: () => true,
  setStaysInTray: vi.fn(),
  unread: () => 0,
} satisfies TrayActions

const click = (items: ReturnType<typeof toTrayTemplate>, label: string, item: object = {}): void =>
  items.find((entry) => entry.label === label)!.click!(item as never, undefined, undefined as never)

test('the tray shows state and address, copies the address, opens and quits', () => {
  const items = toTrayTemplate({ name: 'ready', url: 'http://127.0.0.1:8642' }, actions, 'linux')
  expect(items.map(({ label }) => label)).toEqual(
    expect.arrayContaining([
      'Gateway is running',
      'http://127.0.0.1:8642',
      'Copy address',
      'Open Chat Gateway',
      'Quit',
    ]),
  )
  click(items, 'Copy address')
  click(items, 'Open Chat Gateway')
  click(items, 'Quit')
  expect(writeText).toHaveBeenCalledExactlyOnceWith('http://127.0.0.1:8642')
  expect(actions.open).toHaveBeenCalledOnce()
  expect(actions.quit).toHaveBeenCalledOnce()
})

test('without a running gateway there is a state but no address', () => {
  const labels = toTrayTemplate(
    { name: 'failed', detail: 'x', failure: null },
    actions,
    'linux',
  ).map(({ label }) => label)
  expect(labels).toContain('Gateway has failed')
  expect(labels).not.toContain('Copy address')
})

test('staying in the tray after closing is the person’s choice; macOS always stays', () => {
  const label = 'Keep running when the window is closed'
  const items = toTrayTemplate({ name: 'starting' }, actions, 'win32')
  expect(items.find((item) => item.label === label)).toMatchObject({
    type: 'checkbox',
    checked: true,
  })
  click(items, label, { checked: false })
  expect(actions.setStaysInTray).toHaveBeenCalledExactlyOnceWith(false)
  expect(
    toTrayTemplate({ name: 'starting' }, actions, 'darwin').map((item) => item.label),
  ).not.toContain(label)
})

test('programs can be made to wait, which the state says', () => {
  const ready = { name: 'ready', url: 'http://127.0.0.1:8642' } as const
  click(toTrayTemplate(ready, actions, 'linux'), 'Pause for programs', { checked: true })
  expect(actions.setPaused).toHaveBeenCalledExactlyOnceWith(true)
  const paused = toTrayTemplate(ready, { ...actions, isPaused: () => true }, 'linux')
  expect(paused[0]!.label).toBe('Gateway is paused for programs')
  expect(paused.find(({ label }) => label === 'Pause for programs')).toMatchObject({
    type: 'checkbox',
    checked: true,
  })
})
