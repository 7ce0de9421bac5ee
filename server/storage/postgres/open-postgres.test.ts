import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { StartError } from '../../config/start-error.ts'
import {
  addressOf,
  createEmptyDatabase,
  dropDatabase,
} from '../../testing/create-postgres-test-storage.ts'
import { migrations } from '../migrations/all.ts'
import type { Storage } from '../storage.ts'
import { openPostgres } from './open-postgres.ts'

const server = process.env['TEST_DATABASE_URL'] ?? ''

async function makeDatabase(): Promise<string> {
  const name = await createEmptyDatabase(server)
  onTestFinished(() => dropDatabase(server, name))
  return addressOf(server, name)
}

async function open(address: string, steps = migrations): Promise<Storage> {
  const storage = await openPostgres({ address, migrations: steps, patience: 0 })
  onTestFinished(() => storage.close())
  return storage
}

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
  ask<{ name: string }>(
    address,
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )

const refusal = async (address: string, steps = migrations): Promise<StartError> => {
  const error: unknown = await openPostgres({ address, migrations: steps, patience: 0 }).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StartError)
  return error as StartError
}

describe.skipIf(server === '')('a database on PostgreSQL', () => {
  const account = `chat_gateway_test_${process.pid}`
  beforeAll(() => ask(server, `create role ${account} login password 'right'`))
  afterAll(() => ask(server, `drop role ${account}`))

  const asAccount = (address: string, password: string): string => {
    const url = new URL(address)
    Object.assign(url, { username: account, password })
    return url.href
  }

  it('ends statements that the gateway has given up', async () => {
    const storage = await open(await makeDatabase())
    const limit = storage.prepare<[], string>('show statement_timeout').pluck()
    expect(await limit.get()).toBe('11s')
  })

  it('gets its schema once, also when several gateways start together', async () => {
    const address = await makeDatabase()
    await Promise.all([open(address), open(address), open(address)])
    const steps = await ask<{ id: string }>(
      address,
      'select id from schema_migration order by place',
    )
    expect(steps.map(({ id }) => id)).toEqual(migrations.map(({ id }) => id))
  })

  it('keeps what an older schema holds', async () => {
    const address = await makeDatabase()
    const older = await open(address, migrations.slice(0, -1))
    const row = { key: 'kept', value: '1', updated_at: 1 }
    await older.run(older.builder.insertInto('setting').values(row))
    const newer = await open(address)
    expect(await newer.all(newer.builder.selectFrom('setting').selectAll())).toMatchObject([row])
  })

  it('reads a list of ids without a call of a function of its own', async () => {
    const storage = await open(await makeDatabase())
    const plan = storage
      .prepare<[string], string>(
        'explain select 1 from message where seq in (select cast(value as bigint) from json_each(?))',
      )
      .pluck()
    const steps = (await plan.all('[1, 2]')).join('\n')
    expect(steps).toContain('Function Scan on json_array_elements')
    expect(steps).not.toContain('json_each')
  })

  it('takes connections of any kind, as the contract has checked it', async () => {
    const address = await makeDatabase()
    await open(address)
    const values = "'a', 'example', '', '', 1, '', '[]', 60, 1, 1"
    const columns = 'id, kind, name, url, enabled, prefix_id, model_ids, timeout_seconds'
    await ask(
      address,
      `insert into connection (${columns}, created_at, updated_at) values (${values})`,
    )
    expect(await ask(address, 'select kind from connection')).toEqual([{ kind: 'example' }])
  })

  it('is not touched when its schema is a newer one', async () => {
    const address = await makeDatabase()
    await open(address)
    const { message, exitCode } = await refusal(address, migrations.slice(0, -1))
    expect(message).toMatch(/DATABASE_URL .*has schema \d+, but .* up to \d+.*Nothing was changed/)
    expect(exitCode).toBe(1)
  })

  it('is not touched when its steps are those of another program', async () => {
    const address = await makeDatabase()
    const foreign = { id: 'foreign', statements: ['create table thing (id text)'] }
    await open(address, [foreign])
    expect((await refusal(address)).message).toMatch(/DATABASE_URL .*Nothing was changed/)
  })

  it('that lets nobody make tables stays empty, and the refusal names no password', async () => {
    const address = await makeDatabase()
    await ask(address, 'revoke create on schema public from public')
    const { message } = await refusal(asAccount(address, 'right'))
    expect(message).toMatch(/does not let the account make tables.*DATABASE_URL/)
    expect(message).not.toMatch(/right|chat_gateway_test_\d+@/)
    expect(await listTables(address)).toEqual([])
  })

  it('that is not there is named without account and password', async () => {
    const { message } = await refusal(asAccount(addressOf(server, 'not_there'), 'secret'))
    expect(message).toMatch(/\/not_there does not have the database.*DATABASE_URL/)
    expect(message).not.toContain('secret')
  })

  it('that cannot be reached is named after the time it was tried', async () => {
    const began = performance.now()
    const { message } = await refusal('postgres://somebody:secret@127.0.0.1:1/gateway')
    expect(message).toBe(
      'The database postgres://127.0.0.1:1/gateway cannot be reached. Check the address in DATABASE_URL and that PostgreSQL runs there.',
    )
    expect(performance.now() - began).toBeLessThan(20_000)
  })
})
