// npm run test:postgres: the tests of rooms whose data lie in tables, on a PostgreSQL of their own.
// Words that are given choose among the files, as with vitest.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { hasPostgres, startPostgres } from '../../server/testing/start-postgres.ts'
import { root, run, toolEnvironment } from './run-step.ts'

/** Rooms that keep something and refuse nothing on PostgreSQL. */
const ROOMS = [
  'access',
  'analytics',
  'auth',
  'automations',
  'calendars',
  'channels',
  'chats',
  'evaluations',
  'groups',
  'memories',
  'models',
  'notes',
  'prompt-checks',
  'prompts',
  'scim',
  'settings',
  'sharing',
  'skills',
  'tools',
  'users',
  'webhooks',
]

/** Some tests look into the file of SQLite, or measure what its thread does. */
const needsSqlite = (file: string): boolean =>
  /\.sqlite\b|createPlace|kill\.test/.test(file + readFileSync(path.join(root, file), 'utf8'))

const files = ROOMS.flatMap((room) =>
  globSync(`server/${room}/**/*.test.ts`, { cwd: root }).filter((file) => !needsSqlite(file)),
)

if (!hasPostgres) {
  console.error(
    'No PostgreSQL is on this machine. Install it, or name its programs in POSTGRES_PROGRAMS.',
  )
  process.exit(1)
}
const server = await startPostgres()
try {
  const words = process.argv.slice(2)
  const chosen = words.filter((word) => !word.startsWith('-'))
  const listed = files.filter(
    (file) => chosen.length === 0 || chosen.some((word) => file.includes(word)),
  )
  const options = words.filter((word) => word.startsWith('-'))
  process.exitCode = await run('vitest', ['run', '--project=gateway', ...options, ...listed], {
    env: toolEnvironment({ TEST_DATABASE_URL: server.address }),
  })
} finally {
  await server.close()
}
