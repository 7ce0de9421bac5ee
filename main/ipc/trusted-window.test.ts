import type { IpcMainInvokeEvent } from 'electron'
import { expect, test, vi } from 'vitest'
import { findTrustedWindow } from './trusted-window.ts'

const window = vi.hoisted(() => ({ name: 'main window' }))
vi.mock('electron', () => ({ BrowserWindow: { fromWebContents: () => window } }))

const ORIGIN = 'http://127.0.0.1:8642'

function toEvent(url: string | null, isTopFrame = true): IpcMainInvokeEvent {
  const frame = url === null ? null : { url }
  return {
    senderFrame: frame,
    sender: { mainFrame: isTopFrame ? frame : { url: ORIGIN } },
  } as unknown as IpcMainInvokeEvent
}

test('the top frame of the gateway’s page is trusted', () => {
  expect(findTrustedWindow(toEvent(`${ORIGIN}/c/1`), ORIGIN)).toBe(window)
})

test('a subframe is not trusted, even of the same origin', () => {
  expect(findTrustedWindow(toEvent(`${ORIGIN}/embed`, false), ORIGIN)).toBeNull()
})

test('a frame that is gone, another origin and a window without a page are not trusted', () => {
  for (const url of [
    null,
    '',
    'about:blank',
    'file:///x',
    'http://127.0.0.1:8643/',
    'https://127.0.0.1:8642/',
    'chrome-error://chromewebdata/',
  ]) {
    expect(findTrustedWindow(toEvent(url), ORIGIN)).toBeNull()
  }
  expect(findTrustedWindow(toEvent(`${ORIGIN}/`), null)).toBeNull()
})
