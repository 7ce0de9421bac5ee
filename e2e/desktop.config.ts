import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineConfig } from '@playwright/test'

/** Desktop tests may run as a user who cannot write into the source tree. */
function writableFolder(): string {
  try {
    accessSync(path.join(import.meta.dirname, '../out'), constants.W_OK)
    return path.join(import.meta.dirname, '../out/test-results/desktop')
  } catch {
    return path.join(tmpdir(), 'chat-gateway-desktop-results')
  }
}

const isCi = process.env['CI'] === 'true'

/**
 * Tests of the built app in a real Electron; one at a time, as each depends on focus, ports and
 * processes of the machine.
 */
export default defineConfig({
  testDir: 'desktop',
  outputDir: writableFolder(),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  workers: 1,
  forbidOnly: isCi,
  // A second try on a busy machine; the summary names every test that needed it.
  retries: isCi ? 1 : 0,
})
