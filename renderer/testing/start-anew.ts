// Runs before each test file. The files share a worker and its window, so that the libraries are
// loaded only once: the modules of the UI are reloaded, and the window is reset.
import { configure } from '@testing-library/react'
import { vi } from 'vitest'

// On a busy machine, a dialog whose code is loaded on first opening takes longer to render.
configure({ asyncUtilTimeout: 10_000 })

vi.useRealTimers()
vi.restoreAllMocks()
vi.unstubAllGlobals()
vi.unstubAllEnvs()

for (const element of [document.documentElement, document.head, document.body]) {
  for (const name of element.getAttributeNames()) element.removeAttribute(name)
}
document.head.replaceChildren()
document.body.replaceChildren()
localStorage.clear()
sessionStorage.clear()
history.replaceState(null, '', '/')

vi.resetModules()
