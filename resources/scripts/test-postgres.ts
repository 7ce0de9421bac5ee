// npm run test:postgres: runs the tests of modules that store data in tables, on a separate
// PostgreSQL. Arguments select files, as with vitest; `--chosen` selects those of `npm test`.
import { globSync } from 'node:fs'
import path from 'node:path'
import { createTemplate } from '../../server/testing/create-postgres-test-storage.ts'
import { hasPostgres, startPostgres } from '../../server/testing/start-postgres.ts'
import { root, run, toolEnvironment } from './run-step.ts'

/**
 * Modules that store nothing in the database, or only in SQLite's file: on PostgreSQL, their
 * behaviour is the same, or refused.
 */
const LEFT_OUT: Readonly<Record<string, string>> = {
  audio: 'keeps files and settings only',
  code: 'runs programs',
  'command-line': 'commands on folders; the tests of moving start a PostgreSQL themselves',
  config: 'reads the environment',
  contract: 'has no state',
  engine: 'runs a program, and keeps files',
  lib: 'has no state',
  monitoring: 'its counts are of the file',
  outgoing: 'its tests are of connections, and of one table that is only appended to',
  pipelines: 'asks other programs',
  process: 'its tests start whole gateways, on PostgreSQL where that matters',
  providers: 'asks other programs',
  rendering: 'has no state',
  'runtime-proxy': 'asks other programs',
  'socket-io': 'has no state',
  storage: 'is of one database, except its folder for PostgreSQL',
  testing: 'is of the tests',
  'time-machine': 'is refused on PostgreSQL',
}

/** The folder of a room left out whose tests need a PostgreSQL. */
const OF_POSTGRES = 'storage/postgres/'

/** Files whose tests inspect SQLite's file, or measure how long its thread is blocked. */
const OF_THE_FILE = [
  'automations/kill',
  'channels/deletion',
  'chats/import/programs/open-webui',
  'chats/import/programs/other-programs',
  'chats/long-changes',
  'chats/long-saves',
  'chats/many-chats',
  'completions/faults',
  'completions/sources/limits',
  'files/bucket-kill',
  'files/kill-files',
  'files/processing/queue',
  'http/long-lists',
  'images/gallery',
  'retrieval/kill',
  'system/backup-routes',
  'system/deletion-routes',
  'system/system-routes',
]

/** Files whose tests spend minutes in programs and parsers, and store a row or two. */
const OF_PROGRAMS = [
  'files/upload-corpus',
  'plugins/sources/installs',
  'plugins/python/environments',
  'retrieval/extraction/poisoned-corpus',
]

/**
 * Files for `npm test`, which has only minutes: recursive statements (folders, trash), full-text
 * indexes, concurrent calls (signing in), counting (analytics), and one module of each other kind.
 * The rest is left to the full run.
 */
const CHOSEN = [
  'access',
  'analytics',
  'auth/overlaps',
  'auth/spellings',
  'auth/origin/trusted-headers',
  'automations/automations',
  'calendars',
  'channels/messages',
  'channels/readers',
  'chats/organisation',
  'chats/overlaps',
  'chats/permissions',
  'chats/search',
  'chats/starred',
  'chats/trash',
  'chats/tree',
  'http/overlapping-calls',
  'models/access',
  'models/transfer',
  'notes',
  'prompts',
  'settings',
  'sharing/guest-passes',
  'skills',
  'storage/postgres',
  'users/owned-things',
  'webhooks/events/events',
]

function refuse(reason: string): never {
  console.error(reason)
  process.exit(1)
}

const places = globSync('server/*/**/*.test.ts', { cwd: root }).map((file) =>
  file.split(path.sep).slice(1).join('/'),
)
const moved = [...OF_THE_FILE, ...OF_PROGRAMS, ...CHOSEN].filter(
  (name) => !places.some((place) => place.startsWith(name)),
)
if (moved.length > 0)
  refuse(`No test is where ${path.basename(import.meta.filename)} expects ${moved.join(', ')}.`)
if (!hasPostgres)
  refuse('No PostgreSQL is on this machine. Install it, or name its programs in POSTGRES_PROGRAMS.')

const leftOut = new Set([...OF_THE_FILE, ...OF_PROGRAMS].map((name) => `${name}.test.ts`))
const storesInTables = (place: string): boolean =>
  (place.startsWith(OF_POSTGRES) || !Object.hasOwn(LEFT_OUT, place.split('/')[0]!)) &&
  !leftOut.has(place)
const isChosen = (place: string): boolean => CHOSEN.some((name) => place.startsWith(name))

const given = process.argv.slice(2)
const words = given.filter((word) => !word.startsWith('-'))
const options = given.filter((word) => word.startsWith('-') && word !== '--chosen')
const listed = places
  .filter(storesInTables)
  .filter((place) => !given.includes('--chosen') || isChosen(place))
  .map((place) => `server/${place}`)
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
// Without a file, vitest would run all tests of the gateway.
if (listed.length === 0) refuse(`No test that stores data in tables matches ${words.join(', ')}.`)

const server = await startPostgres()
try {
  process.exitCode = await run('vitest', ['run', '--project=gateway', ...options, ...listed], {
    env: toolEnvironment({
      TEST_DATABASE_URL: server.address,
      TEST_DATABASE_TEMPLATE: await createTemplate(server.address),
    }),
  })
} finally {
  await server.close()
}
