// Finds or installs the dependencies of some tests: a Chromium, a keyring, a display and Electron's
// libraries.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { capture, hasProgram, root, run } from './run-step.ts'

const isRoot = process.getuid?.() === 0

let updated = false

/** Installs Debian packages if that is possible without a prompt; resolves with true on success. */
async function installFromApt(packages: readonly string[]): Promise<boolean> {
  if (!isRoot || !(await hasProgram('apt-get'))) return false
  console.log(`Installing ${packages.join(', ')} (about a minute) …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  if (!updated) updated = (await capture('apt-get', ['update', '-qq'], { env })).code === 0
  const { code } = await capture(
    'apt-get',
    ['-o', 'DPkg::Lock::Timeout=600', 'install', '-y', '--no-install-recommends', ...packages],
    {
      env,
    },
  )
  return code === 0
}

/** The headless build takes a third less time for the same pages. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const CHROMIUM_NAMES = [
  HEADLESS_SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

async function findChromium(): Promise<string | null> {
  const named = process.env['CHROMIUM_PATH']
  if (named && existsSync(named)) return named
  for (const name of CHROMIUM_NAMES) {
    const { code, output } = await capture('which', [name])
    if (code === 0) return output.trim()
  }
  const { chromium } = await import('@playwright/test')
  const downloaded = chromium.executablePath()
  return existsSync(downloaded) ? downloaded : null
}

/**
 * Resolves with a Chromium for browser tests: from the machine, else downloaded by the test tool,
 * else from apt. Null if none is available.
 */
export async function prepareChromium(): Promise<string | null> {
  const found = await findChromium()
  if (found) return found
  for (const name of [HEADLESS_SHELL, 'chromium'])
    if (await installFromApt([name, 'fonts-dejavu-core'])) return findChromium()
  console.log('Downloading a Chromium for the browser tests (about 150 MB, once) …')
  await run('playwright', ['install', 'chromium'], { timeout: 600_000 })
  return findChromium()
}

/** Provides a Secret Service for the keychain tests. */
export async function prepareKeyring(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const present = async () =>
    (await hasProgram('dbus-run-session')) && (await hasProgram('gnome-keyring-daemon'))
  return (
    (await present()) ||
    ((await installFromApt(['gnome-keyring', 'dbus', 'libsecret-1-0', 'libsecret-tools'])) &&
      present())
  )
}

const DISPLAY_PACKAGES = [
  'xvfb',
  'xauth',
  'dbus',
  'dbus-x11',
  'iproute2',
  'libnss3',
  'libgtk-3-0',
  'libgbm1',
  'libasound2',
  'libatk-bridge2.0-0',
  'libcups2',
  'libdrm2',
  'libxkbcommon0',
  'libxcomposite1',
  'libxdamage1',
  'libxfixes3',
  'libxrandr2',
  'libsecret-1-0',
  'libxss1',
  'libxtst6',
  'libnotify4',
  'fonts-dejavu-core',
]

/** Provides a virtual display for the desktop tests. */
export async function prepareDisplay(): Promise<boolean> {
  if (process.platform !== 'linux') return true
  return (
    (await hasProgram('xvfb-run')) ||
    ((await installFromApt(DISPLAY_PACKAGES)) && hasProgram('xvfb-run'))
  )
}

/**
 * A Python with the official SDKs that the tests use against the gateway; null if none can be made.
 */
export const preparePython = () => pythonWith('out/python', 'e2e/sdks/python/requirements.txt')

/** A Python with the packages for the tests of the plugin host; null if none can be made. */
export const preparePluginHostPython = () =>
  pythonWith('out/plugin-host-python', 'resources/plugin-host/requirements-test.txt')

/** A Python with the server of the second code engine; null if none can be made. */
export const prepareJupyter = () =>
  pythonWith('out/jupyter-python', 'server/code/jupyter/requirements-test.txt')

/** A Python with an object store for uploads; null if none can be made. */
export const prepareObjectStore = () =>
  pythonWith('out/object-store-python', 'server/storage/blobs/bucket/requirements-test.txt')
/** A Python that includes PostgreSQL with pgvector; null if none can be made. */
export const preparePostgres = () =>
  pythonWith('out/postgres-python', 'server/storage/postgres/requirements-test.txt')

/**
 * A Python with one of the programs of `e2e/clients`, since they need different versions of the
 * same packages; null if none can be made.
 */
export const prepareClientPython = (name: string) =>
  pythonWith(`out/clients/${name}`, `e2e/clients/python/${name}.txt`)

const pythons = new Map<string, Promise<string | null>>()

/** Makes each environment only once, however often it is requested. */
function pythonWith(place: string, list: string): Promise<string | null> {
  const python = pythons.get(place) ?? makePython(place, list)
  pythons.set(place, python)
  return python
}

async function makePython(place: string, list: string): Promise<string | null> {
  const folder = path.join(root, place)
  const python = path.join(
    folder,
    process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python',
  )
  const requirements = path.join(root, list)
  const install = async () =>
    (await capture(python, ['-m', 'pip', 'install', '-q', '-r', requirements])).code === 0
  if (existsSync(python) && (await install())) return python
  const base = process.platform === 'win32' ? 'python' : 'python3'
  const make = async () => (await capture(base, ['-m', 'venv', '--clear', folder])).code === 0
  if (!(await make()) && !((await installFromApt(['python3', 'python3-venv'])) && (await make())))
    return null
  return (await install()) ? python : null
}
