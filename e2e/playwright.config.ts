import { defineConfig } from '@playwright/test'

const QUIET = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages are drawn by software either way, which costs less without a pretended graphics card.
  '--disable-gpu',
]
const isRoot = process.getuid?.() === 0
const executablePath = process.env['CHROMIUM_PATH']

const isCi = process.env['CI'] === 'true'

/** Browser tests against the built gateway and interface. */
export default defineConfig({
  testDir: 'specs',
  outputDir: '../out/test-results/browser',
  timeout: 60_000,
  // A busy machine takes longer over what a document says, without a fault.
  expect: { timeout: isCi ? 20_000 : 10_000 },
  // More than there are cores: much of a test is waiting.
  workers: 3,
  fullyParallel: true,
  forbidOnly: isCi,
  // A second try on a busy machine; the summary names every test that needed it.
  retries: isCi ? 1 : 0,
  use: {
    viewport: { width: 1280, height: 800 },
    // What moves is drawn again and again while a test waits for its end. Tests of the looks and of
    // the keyboard keep their motion.
    reducedMotion: 'reduce',
    // Recording every test would cost more than the tests themselves; one that fails is recorded
    // when it is tried again.
    trace: { mode: 'on-first-retry', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: isRoot ? ['--no-sandbox', ...QUIET] : QUIET,
    },
  },
})
