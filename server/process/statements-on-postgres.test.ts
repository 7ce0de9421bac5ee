import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../config/parse-config.ts'
import { createContext, type Context } from '../context.ts'
import { createSecrets } from '../storage/secrets/secrets.ts'
import { openPostgres } from '../storage/postgres/open-postgres.ts'
import { numberPlaces } from '../storage/postgres/placeholders.ts'
import type { Storage } from '../storage/index.ts'
import { addressOf, createEmptyDatabase } from '../testing/create-postgres-test-storage.ts'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../testing/start-postgres.ts'

/** Wraps a storage so that every statement it prepares is reported. */
function listenTo(storage: Storage, tell: (statement: string) => void): Storage {
  return new Proxy(storage, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      if (name !== 'prepare') return typeof found === 'function' ? found.bind(target) : found
      return (statement: string) => {
        tell(statement)
        return target.prepare(statement)
      }
    },
  })
}

const QUIET = {
  LLMHOST_BASE_URLS: '',
  ENABLE_BUILT_IN_RUNTIME: 'false',
  LOCAL_RUNTIME_PORTS: '',
  PLUGIN_PYTHON: '/nowhere/python3',
}

/** Closes everything as the gateway does when it is stopped. */
async function closeAll(context: Context): Promise<void> {
  const { retrieval, extraction, audio, webhooks, providers, storage, auth, engine } = context
  for (const each of [retrieval, extraction, audio, webhooks, providers, auth, engine])
    await each.close()
  await storage.deletions.close()
  await context.outgoing.close()
  storage.close()
}

describe.skipIf(!hasPostgres)('the statements that stores prepare', () => {
  let server: TestPostgres
  beforeAll(async () => void (server = await startPostgres()))
  afterAll(() => server.close())

  it('are all understood by PostgreSQL', { timeout: 120_000 }, async () => {
    const address = addressOf(server.address, await createEmptyDatabase(server.address))
    const statements = new Set<string>()
    const storage = await openPostgres({ address })
    const config = parseConfig({ ...QUIET, DATA_DIR: createTemporaryFolder() })
    const context = await createContext({
      config,
      storage: listenTo(storage, (statement) => void statements.add(statement)),
      secrets: createSecrets('a secret of tests that is long enough'),
      bucket: null,
      live: null,
      log: pino({ level: 'silent' }),
    })
    const client = new pg.Client(address)
    await client.connect()
    const refused: string[] = []
    for (const [place, statement] of [...statements].entries()) {
      await client
        .query(`prepare statement_${place} as ${numberPlaces(statement).text}`)
        .catch((error: Error) => refused.push(`${error.message}: ${statement}`))
    }
    await client.end()
    await closeAll(context)
    expect(statements.size).toBeGreaterThan(100)
    expect(refused).toEqual([])
  })

  it('read JSON with escapes of what no text of PostgreSQL can hold', async () => {
    const address = addressOf(server.address, await createEmptyDatabase(server.address))
    const storage = await openPostgres({ address })
    const read = (value: string): Promise<unknown> =>
      storage
        .prepare<[string], string>("select cast(? as text) ->> '$.text'")
        .pluck()
        .get(JSON.stringify({ other: '\0', text: value }))
    const pairs = [
      ['a\0b', 'a\u{fffd}b'],
      ['\0\0', '\u{fffd}\u{fffd}'],
      ['a\ud800b', 'a\u{fffd}b'],
      ['a\udc00b', 'a\u{fffd}b'],
      ['\ud800\ud800', '\u{fffd}\u{fffd}'],
      ['\u{1f98a}', '\u{1f98a}'],
      [String.raw`a\u0000 \\ud800`, String.raw`a\u0000 \\ud800`],
    ] as const
    for (const [written, shown] of pairs) expect(await read(written)).toBe(shown)
    const items = await storage
      .prepare<[string], string>('select value from json_each(?)')
      .pluck()
      .all(JSON.stringify(pairs.map(([written]) => written)))
    expect(items).toEqual(pairs.map(([, shown]) => shown))
    storage.close()
  })
})
