import { beforeEach, expect, test, vi } from 'vitest'
import { events, requests } from './contract.ts'
import { eventNames, ipcChannels, requestNames } from './names.ts'

const electron = vi.hoisted(() => ({
  contextBridge: { exposeInMainWorld: vi.fn() },
  ipcRenderer: { invoke: vi.fn(), on: vi.fn(), off: vi.fn() },
}))
vi.mock('electron', () => electron)

interface Bridge {
  request(name: unknown, input?: unknown): Promise<unknown>
  on(name: unknown, listener: (payload: unknown) => void): () => void
}

await import('./bridge.ts')
const [exposedAs, bridge] = electron.contextBridge.exposeInMainWorld.mock.calls[0] as [
  string,
  Bridge,
]

beforeEach(() => {
  vi.clearAllMocks()
})

test('row 116: the page sees two functions under one name and at most twelve requests', () => {
  expect(exposedAs).toBe('desktop')
  expect(
    Object.fromEntries(Object.entries(bridge).map(([name, value]) => [name, typeof value])),
  ).toEqual({
    request: 'function',
    on: 'function',
  })
  expect(requestNames).toMatchInlineSnapshot(`
    [
      "app.info",
      "session.takeKey",
      "shell.openExternal",
      "window.setTheme",
      "window.setLanguage",
      "window.setMarks",
      "notification.show",
      "data.openFolder",
      "gateway.restart",
      "shell.settings",
      "quickAsk.act",
      "updates.act",
    ]
  `)
  expect(requestNames.length).toBeLessThanOrEqual(12)
})

test('the names of the bridge are those of the contract', () => {
  expect(Object.keys(requests)).toEqual(requestNames)
  expect(Object.keys(events)).toEqual(eventNames)
})

test('a request travels on the one channel and its output comes back', async () => {
  electron.ipcRenderer.invoke.mockResolvedValue({ ok: true, output: { opened: true } })
  expect(await bridge.request('shell.openExternal', { url: 'https://example.org/' })).toEqual({
    opened: true,
  })
  expect(electron.ipcRenderer.invoke).toHaveBeenCalledExactlyOnceWith(
    ipcChannels.request,
    'shell.openExternal',
    {
      url: 'https://example.org/',
    },
  )
})

test('an error answer becomes an error with main’s sentence', async () => {
  electron.ipcRenderer.invoke.mockResolvedValue({
    ok: false,
    error: { code: 'failed', message: 'It did not work.' },
  })
  await expect(bridge.request('data.openFolder', {})).rejects.toThrow('It did not work.')
})

test('unknown requests and events never reach Electron', async () => {
  for (const name of [
    '',
    'desktop:request',
    'constructor',
    '__proto__',
    1,
    null,
    undefined,
    {},
    ['app.info'],
  ]) {
    await expect(bridge.request(name, {})).rejects.toThrow('does not know')
    expect(() => bridge.on(name, () => undefined)).toThrow('does not know')
  }
  expect(electron.ipcRenderer.invoke).not.toHaveBeenCalled()
  expect(electron.ipcRenderer.on).not.toHaveBeenCalled()
})

test('a listener gets the payload of its own event only, without Electron’s event object, until it stops listening', () => {
  const listener = vi.fn()
  const stop = bridge.on('command', listener)
  const [channel, forward] = electron.ipcRenderer.on.mock.calls[0]!
  forward({ sender: 'electron' }, 'place.open', { path: '/c/1' })
  forward({ sender: 'electron' }, 'command', { id: 'chat.new' })
  expect(channel).toBe(ipcChannels.event)
  expect(listener.mock.calls).toEqual([[{ id: 'chat.new' }]])
  stop()
  expect(electron.ipcRenderer.off).toHaveBeenCalledExactlyOnceWith(ipcChannels.event, forward)
})
