import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { StartError } from '../../config/start-error.ts'
import { addressOf, createEmptyDatabase } from '../../testing/create-postgres-test-storage.ts'
import {
  hasPostgres,
  plainPrograms,
  startPostgres,
  type TestPostgres,
} from '../../testing/start-postgres.ts'
import { openPostgres } from './open-postgres.ts'

const ACCOUNT = 'chat_gateway_without_rights'

async function ask<Row extends object>(address: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

const listTables = (address: string) =>
  ask(address, "select tablename from pg_tables where schemaname = 'public'")

const listExtensions = (address: string) =>
  ask<{ name: string }>(
    address,
    "select extname as name from pg_extension where extname = 'vector'",
  )

async function refusal(address: string): Promise<StartError> {
  const error: unknown = await openPostgres({ address, patience: 0 }).then(
    (storage) => storage.close(),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StartError)
  return error as StartError
}

describe.skipIf(!hasPostgres)('pgvector in a database', { timeout: 120_000 }, () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
    await ask(server.address, `create role ${ACCOUNT} login password 'secret'`)
  }, 120_000)
  afterAll(() => server.close())

  async function makeDatabase(): Promise<{ own: string; others: string }> {
    const own = addressOf(server.address, await createEmptyDatabase(server.address))
    await ask(own, `grant create on schema public to ${ACCOUNT}`)
    const others = new URL(own)
    Object.assign(others, { username: ACCOUNT, password: 'secret' })
    return { own, others: others.href }
  }

  it('is added by the gateway where it may', async () => {
    const { own } = await makeDatabase()
    const storage = await openPostgres({ address: own })
    onTestFinished(() => storage.close())
    expect(await listExtensions(own)).toHaveLength(1)
  })

  it('that the account may not add is named in the statement for an administrator, and no table is made', async () => {
    const { own, others } = await makeDatabase()
    const { message, exitCode } = await refusal(others)
    expect(message).toContain(' create extension vector; ')
    expect(message).toContain('DATABASE_URL')
    expect(message).not.toMatch(/secret|\n/)
    expect(exitCode).toBe(1)
    expect(await listTables(own)).toEqual([])
    await ask(own, 'create extension vector')
    const storage = await openPostgres({ address: others })
    onTestFinished(() => storage.close())
    expect(await listTables(own)).not.toEqual([])
  })
})

describe.skipIf(plainPrograms === null)(
  'a PostgreSQL without pgvector',
  { timeout: 120_000 },
  () => {
    it('is refused in words before any table is made', async () => {
      const server = await startPostgres(plainPrograms!)
      onTestFinished(() => server.close())
      const { message, exitCode } = await refusal(server.address)
      expect(message).toMatch(/DATABASE_URL names has no pgvector\. Install pgvector 0\.8 or newer/)
      expect(exitCode).toBe(1)
      expect(await listTables(server.address)).toEqual([])
    })
  },
)
