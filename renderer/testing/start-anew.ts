// Runs before each test file. The files share a worker and, those that ask for jsdom, its window, so
// that the libraries are loaded only once: the modules of the UI are reloaded, and the window is
// reset.
import { vi } from 'vitest'

vi.useRealTimers()
vi.restoreAllMocks()
vi.unstubAllGlobals()
vi.unstubAllEnvs()

if ('document' in globalThis) {
  const { configure } = await import('@testing-library/react')
  // On a busy machine, a dialog whose code is loaded on first opening takes longer to render.
  configure({ asyncUtilTimeout: 10_000 })
  for (const element of [document.documentElement, document.head, document.body]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  }
  document.head.replaceChildren()
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
}

vi.resetModules()
