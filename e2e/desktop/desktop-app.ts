import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  test as base,
  _electron,
  expect,
  type ElectronApplication,
  type Page,
} from '@playwright/test'
import { pluginEnvironment, pluginPython } from '../../server/testing/plugin-python.ts'
import { ChatPage } from '../pages/chat-page.ts'

export { expect }

const root = path.resolve(import.meta.dirname, '../..')
const START_TIMEOUT = 30_000

/** The app in a real Electron with a separate profile. */
export interface DesktopApp {
  readonly electron: ElectronApplication
  readonly page: Page
  readonly chat: ChatPage
  readonly profile: string
  /** Returns what the running gateway wrote about itself to its data folder. */
  gateway(): { url: string; pid: number }
  /** Starts the app a second time on the same profile, as a second double click or a link does. */
  startAgain(link?: string): ChildProcess
  /** Returns everything the app and its gateway logged. */
  log(): string
  /** Returns the processes on this machine that belong to this profile. */
  processes(): string[]
}

const programArguments = (
  profile: string,
  { link, options = [] }: { link?: string; options?: readonly string[] } = {},
): string[] => [
  root,
  ...(link === undefined ? [] : [link]),
  '--',
  `--profile=${profile}`,
  '--secrets=file',
  ...options,
]

/**
 * `ELECTRON_BINARY` is the path of the executable; without it the test tool uses that of the
 * electron package.
 */
const executable = process.env['ELECTRON_BINARY']

const environment = {
  ...(process.env as Record<string, string>),
  ...(pluginPython !== null && pluginEnvironment),
  PORT: '0',
  LLMHOST_BASE_URLS: '',
  LOCAL_RUNTIME_PORTS: '',
}

function belongsTo(profile: string, pid: string): boolean {
  try {
    // A zombie has an empty command line.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(profile)
  } catch {
    // The process ended meanwhile.
    return false
  }
}

/** Returns the processes on this machine that belong to a profile. */
export const findProcesses = (profile: string): string[] =>
  existsSync('/proc')
    ? readdirSync('/proc').filter((name) => /^\d+$/.test(name) && belongsTo(profile, name))
    : []

interface SpawnParts {
  readonly link?: string
  readonly options?: readonly string[]
  readonly electronOptions?: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
}

/** Starts the app as a process without an inspector. */
export const spawnApp = (
  profile: string,
  { electronOptions = [], variables = {}, ...parts }: SpawnParts,
): ChildProcess =>
  spawn(executable ?? 'electron', [...electronOptions, ...programArguments(profile, parts)], {
    env: { ...environment, ...variables },
    stdio: 'ignore',
  })

interface StartParts {
  readonly variables?: Readonly<Record<string, string>>
  readonly options?: readonly string[] | undefined
  readonly electronOptions?: readonly string[]
}

async function startApp(
  profile: string,
  { variables = {}, options = [], electronOptions = [] }: StartParts = {},
): Promise<DesktopApp> {
  const electron = await _electron.launch({
    ...(executable && { executablePath: executable }),
    args: [...electronOptions, ...programArguments(profile, { options })],
    env: { ...environment, ...variables },
    chromiumSandbox: true,
    timeout: START_TIMEOUT,
  })
  const page = await electron.firstWindow()
  await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//, { timeout: START_TIMEOUT })
  const named = options.find((option) => option.startsWith('--data-dir='))
  const data = named?.slice('--data-dir='.length) ?? path.join(profile, 'data')
  const gateway = () =>
    JSON.parse(readFileSync(path.join(data, 'gateway.json'), 'utf8')) as {
      url: string
      pid: number
    }
  return {
    electron,
    page,
    chat: new ChatPage(page, gateway().url),
    profile,
    gateway,
    startAgain: (link) => spawnApp(profile, { ...(link && { link }), variables }),
    log: () => readFileSync(path.join(profile, 'logs/chat-gateway.log'), 'utf8'),
    processes: () => findProcesses(profile),
  }
}

/** Finishes the first-run guide, so that the conversation is in front. */
async function skipGuide({ page, chat }: DesktopApp): Promise<void> {
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/user/settings/update') && response.ok(),
  )
  await page.getByRole('button', { name: 'Skip guide' }).click()
  await saved
  await chat.composer.waitFor()
}

const createProfile = (): string => mkdtempSync(path.join(tmpdir(), 'chat-gateway-desktop-'))

const removeProfile = (profile: string): void =>
  rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })

interface Fixtures {
  profile: string
  /** Additional environment variables of the app. */
  variables: Readonly<Record<string, string>>
  /** Switches of the browser in the app. */
  electronOptions: readonly string[]
  /** Starts the app on the test's profile; every instance still running at the end is closed. */
  start: (options?: readonly string[]) => Promise<DesktopApp>
  /** The app after its very first start. */
  fresh: DesktopApp
  /** The app past the first-run guide. */
  app: DesktopApp
}

export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
  profile: async ({}, use) => {
    const profile = createProfile()
    await use(profile)
    removeProfile(profile)
  },
  variables: [{}, { option: true }],
  electronOptions: [[], { option: true }],
  start: async ({ profile, variables, electronOptions }, use) => {
    const started: DesktopApp[] = []
    await use(async (options) => {
      const app = await startApp(profile, { variables, options, electronOptions })
      started.push(app)
      return app
    })
    for (const { electron } of started) await electron.close()
  },
  fresh: async ({ start }, use) => use(await start()),
  app: async ({ fresh }, use) => {
    await skipGuide(fresh)
    await use(fresh)
  },
})

/**
 * Shares one app past the first-run guide among the surrounding tests, because its start takes
 * longer than most of them. Each begins with a new chat; a test that ends the app, its gateway or
 * its page, or changes the available models, uses its own `app`.
 */
export function shareApp(): () => DesktopApp {
  let shared: DesktopApp
  test.beforeAll(async () => {
    shared = await startApp(createProfile())
    await skipGuide(shared)
  })
  test.beforeEach(() => shared.chat.open())
  test.afterAll(async () => {
    await shared.electron.close()
    removeProfile(shared.profile)
  })
  return () => shared
}

/** Saves a screenshot of the window if `SCREENSHOTS` names a folder for them. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: path.join(folder, `desktop-${name}.png`) })
}
