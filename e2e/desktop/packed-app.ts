import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createPackage, extractAll } from '@electron/asar'
import { chromium, expect, type Page } from '@playwright/test'

/** A folder made by `npm run pack`, copied to a place where the test may change it. */
export interface PackedFolder {
  readonly folder: string
  readonly program: string
}

const IN_PROCESS = 'app.isPackaged?spawnUtility(options)'

/** Faults of a version that does not come up. */
export interface PackedFaults {
  /** Program that is started instead of the gateway. */
  readonly entry: string
  /** Script that the app loads first. */
  readonly preload: string
}

/**
 * Copies the packed app. An Electron with an older Node cannot run the gateway in one of its
 * processes; only in that case the packed gateway is started by the Node of the tests.
 */
export async function copyPacked(
  packed: string,
  folder: string,
  faults?: PackedFaults,
): Promise<PackedFolder> {
  cpSync(packed, folder, { recursive: true, verbatimSymlinks: true })
  const resources = path.join(folder, 'resources')
  const archive = path.join(resources, 'app.asar')
  const app = path.join(folder, '..', 'app-source')
  extractAll(archive, app)
  cpSync(`${archive}.unpacked`, app, { recursive: true })
  const entry = path.join(app, 'out/main/index.js')
  const source = readFileSync(entry, 'utf8')
  if (source.split(IN_PROCESS).length !== 2)
    throw new Error('The start of the gateway was not found.')
  const server = faults?.entry ?? path.join(app, 'out/server/index.js')
  const outside = `app.isPackaged?spawnNode(${JSON.stringify(process.execPath)},{...options,entry:${JSON.stringify(server)}})`
  const first = faults ? `import ${JSON.stringify(faults.preload)};` : ''
  writeFileSync(entry, first + source.replace(IN_PROCESS, outside))
  await createPackage(app, archive)
  return { folder, program: path.join(folder, 'chat-gateway') }
}

/** A running packed app; its fuses disable the inspector, so only its pages can be driven. */
export interface RunningPacked {
  readonly page: Page
  readonly process: ChildProcess
  close(): Promise<void>
}

const isOwn = (url: string): boolean => url.startsWith('http://127.0.0.1:')

/**
 * Reports whether the window shows its page. The test tool only finds windows that do when it
 * connects.
 */
async function hasPage(port: number): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null)
  const targets = ((await reply?.json()) ?? []) as { readonly url: string }[]
  return targets.some(({ url }) => isOwn(url))
}

/** Starts it with additional arguments and environment variables, and waits for its page. */
export async function startPacked(
  { program }: PackedFolder,
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  patience = 40_000,
): Promise<RunningPacked> {
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const child = spawn(program, [`--remote-debugging-port=${port}`, '--', ...words], {
    env: {
      ...(process.env as Record<string, string>),
      PORT: '0',
      LLMHOST_BASE_URLS: '',
      LOCAL_RUNTIME_PORTS: '',
      ...variables,
    },
    stdio: 'ignore',
  })
  await expect.poll(() => hasPage(port), { timeout: patience }).toBe(true)
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const page = browser
    .contexts()
    .flatMap((context) => context.pages())
    .find((each) => isOwn(each.url()))!
  return {
    page,
    process: child,
    async close() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Returns the folder of the packed app to test; null if nothing was packed. */
export function findPacked(): string | null {
  const folder =
    process.env['PACKED_APP'] ?? path.resolve(import.meta.dirname, '../../dist/linux-unpacked')
  return existsSync(path.join(folder, 'chat-gateway')) ? folder : null
}

export const makeFolder = (folder: string): string => {
  mkdirSync(folder, { recursive: true })
  return folder
}
