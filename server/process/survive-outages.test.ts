import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const MODULE = path.resolve(import.meta.dirname, 'survive-outages.ts')
const ERRORS = path.resolve(import.meta.dirname, '../lib/errors.ts')

/** Runs a process with an unhandled rejection. */
const runWith = (code: string) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { surviveOutages } from ${JSON.stringify(MODULE)}
       import { unavailable } from ${JSON.stringify(ERRORS)}
       surviveOutages({ warn: (_facts, text) => console.log(text) })
       void Promise.reject(unavailable('Away.', { code: ${JSON.stringify(code)} }))
       setTimeout(() => console.log('still there'), 50)`,
    ],
    { encoding: 'utf8' },
  )

test('a gateway outlives a database that goes away while nobody waits, and nothing else that nobody caught', () => {
  const away = runWith('database_unavailable')
  expect(away).toMatchObject({ status: 0, stdout: expect.stringContaining('still there') })
  expect(away.stdout).toContain('the database is away')
  const other = runWith('something_else')
  expect(other.status).not.toBe(0)
  expect(other.stdout).not.toContain('still there')
})
