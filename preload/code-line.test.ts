import { expect, test, vi } from 'vitest'
import { ipcChannels } from './names.ts'

const electron = vi.hoisted(() => ({ ipcRenderer: { once: vi.fn() } }))
vi.mock('electron', () => electron)

test('the document gets the line of the app, and nothing of the app', async () => {
  const postMessage = vi.fn()
  vi.stubGlobal('window', { postMessage })
  await import('./code-line.ts')
  const [channel, take] = electron.ipcRenderer.once.mock.calls[0] as [
    string,
    (event: { ports: unknown[]; sender: unknown }) => void,
  ]
  expect(channel).toBe(ipcChannels.codeLine)
  take({ ports: ['a port'], sender: 'the app' })
  expect(postMessage).toHaveBeenCalledExactlyOnceWith('line', '*', ['a port'])
})
