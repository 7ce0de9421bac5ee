import { defineConfig } from '@playwright/test'

const QUIET = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages are rendered in software either way, which costs less without an emulated graphics card.
  '--disable-gpu',
]
const isRoot = process.getuid?.() === 0
const executablePath = process.env['CHROMIUM_PATH']

const isCi = process.env['CI'] === 'true'

/** Browser tests against the built gateway and UI. */
export default defineConfig({
  testDir: 'specs',
  outputDir: '../out/test-results/browser',
  timeout: 60_000,
  // On a busy machine assertions may take longer, without a fault.
  expect: { timeout: isCi ? 20_000 : 10_000 },
  // More than the number of cores: much of a test is waiting.
  workers: 3,
  fullyParallel: true,
  forbidOnly: isCi,
  // A second try on a busy machine; the summary names every test that needed it.
  retries: isCi ? 1 : 0,
  use: {
    viewport: { width: 1280, height: 800 },
    // Animations are redrawn continuously while a test waits for their end. Tests of the appearance
    // and of the keyboard keep animations.
    reducedMotion: 'reduce',
    // Recording every test would cost more than the tests themselves; a failing one is recorded on
    // its retry.
    trace: { mode: 'on-first-retry', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: isRoot ? ['--no-sandbox', ...QUIET] : QUIET,
    },
  },
})
