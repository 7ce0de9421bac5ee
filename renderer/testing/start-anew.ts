// Runs before each test file. The files share a worker and its window, so that the libraries are
// loaded once: the modules of the interface are loaded anew, and the window is made as it was.
import { configure } from '@testing-library/react'
import { vi } from 'vitest'

// A busy machine draws a dialog whose code is loaded when it is first opened later than usual.
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
