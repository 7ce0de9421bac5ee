import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openStorage } from '../../storage/index.ts'
import { listMovedTables, selectMoved } from '../../storage/moving/tables.ts'
import { addressOf, createEmptyDatabase } from '../../testing/create-postgres-test-storage.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../../testing/start-postgres.ts'
import { lacksObjectStore, startObjectStore } from '../../testing/start-object-store.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'
import { runCommandLine } from '../run-command-line.ts'

const SLOW = 120_000
const WORDS = 'Badgers dig \u{1f9a1} 東京 deeply'

interface Run {
  readonly code: number
  readonly out: string
  readonly error: string
}

async function run(
  words: readonly string[],
  signal = new AbortController().signal,
  environment: Record<string, string> = {},
): Promise<Run> {
  let [out, error] = ['', '']
  const code = await runCommandLine(words, {
    environment,
    isInteractive: false,
    write: (text) => void (out += text),
    remark: (text) => void (error += text),
    readInput: async () => '',
    signal,
  })
  return { code, out, error }
}

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-move-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns all rows of a database file, in storage order. */
function readRows(folder: string): Record<string, unknown[]> {
  const storage = openStorage({ path: path.join(folder, 'chat-gateway.db') })
  try {
    return Object.fromEntries(
      listMovedTables().map((table) => [
        table.name,
        storage.sqlite.prepare(selectMoved(table)).all(),
      ]),
    )
  } finally {
    storage.close()
  }
}

const search = async (server: TestServer, token: string, text: string): Promise<unknown[]> =>
  (await (
    await server.call('GET', `/api/v1/chats/search?text=${encodeURIComponent(text)}`, { token })
  ).json()) as unknown[]

/** Returns the results of a search for bees in the collection. */
async function askBees(server: TestServer, token: string): Promise<string[]> {
  const reply = await server.call('POST', '/api/v1/retrieval/query/doc', {
    token,
    body: { collection_name: 'bees', query: 'nectar', k: 3 },
  })
  const { documents } = (await reply.json()) as { documents?: string[][] }
  return documents?.flat() ?? []
}

/** Creates users, chats, notes, memories, nested folders and an API key. */
async function fill(server: TestServer): Promise<{ token: string; key: string; fileId: string }> {
  const token = await server.signUp('Ada')
  const post = async (target: string, body: unknown): Promise<{ id: string; api_key: string }> => {
    const response = await server.call('POST', target, { token, body })
    expect(response.status, target).toBe(200)
    return (await response.json()) as { id: string; api_key: string }
  }
  await post('/api/v1/auths/add', {
    name: 'Bo',
    email: 'bo@example.org',
    password: 'correct horse battery',
    role: 'user',
  })
  const { api_key: key } = await post('/api/v1/auths/api_key', {})
  const outer = await post('/api/v1/folders/', { name: 'Outer' })
  await post('/api/v1/folders/', { name: 'Inner', parent_id: outer.id })
  const messages = {
    m: { id: 'm', parentId: null, childrenIds: [], role: 'user', content: WORDS, timestamp: 1 },
  }
  for (const title of ['First', 'Second'])
    await post('/api/v1/chats/new', {
      chat: { title, history: { messages, currentId: 'm' }, models: ['cloud-1'] },
    })
  await post('/api/v1/notes/create', { title: 'A note', data: { content: { md: 'Foxes sleep' } } })
  await post('/api/v1/memories/add', { content: 'Likes \0 hedgehogs' })
  await post('/api/v1/retrieval/process/text', {
    name: 'bees.txt',
    content: 'Bees gather nectar.',
    collection_name: 'bees',
  })
  expect(await askBees(server, token)).toEqual(['Bees gather nectar.'])
  const form = new FormData()
  form.append('file', new Blob(['About foxes']), 'foxes.txt')
  const headers = { Authorization: `Bearer ${token}` }
  const uploaded = await fetch(`${server.url}/api/v1/files/`, {
    method: 'POST',
    headers,
    body: form,
  })
  const { id: fileId } = (await uploaded.json()) as { id: string }
  return { token, key, fileId }
}

describe.skipIf(!hasPostgres || process.env['TEST_DATABASE_URL'])(
  'chat-gateway move-data',
  { timeout: SLOW },
  () => {
    let server: TestPostgres
    let folder: string
    let secret: string
    let token: string
    let key: string
    let fileId: string
    let found: unknown[]

    const newAddress = async (): Promise<string> =>
      addressOf(server.address, await createEmptyDatabase(server.address))
    const startOn = (address: string) =>
      startTestServer({
        environment: {
          DATABASE_URL: address,
          WEBUI_SECRET_KEY: secret,
          ENABLE_API_KEYS: 'true',
        },
      })

    beforeAll(async () => {
      server = await startPostgres()
      const gateway = await startTestServer({
        environment: { ENABLE_API_KEYS: 'true' },
      })
      folder = gateway.dataDir
      ;({ token, key, fileId } = await fill(gateway))
      found = await search(gateway, token, 'badgers')
      await gateway.close({ keep: true })
      secret = readFileSync(path.join(folder, 'secret.key'), 'utf8').trim()
    }, SLOW)
    afterAll(async () => {
      rmSync(folder, { recursive: true, force: true })
      await server.close()
    })

    it('carries everything to PostgreSQL, where sessions, keys and searches work as before', async () => {
      const address = await newAddress()
      const moved = await run(['move-data', '--to', address, '--data-dir', folder, '--json'])
      expect(moved).toMatchObject({ code: 0 })
      expect(JSON.parse(moved.out)).toMatchObject({ changedTexts: 1 })
      const gateway = await startOn(address)
      onTestFinished(() => gateway.close())
      expect(found).toHaveLength(2)
      expect(await search(gateway, token, 'badgers')).toEqual(found)
      await expect
        .poll(() => askBees(gateway, token), { timeout: 30_000 })
        .toEqual(['Bees gather nectar.'])
      const known = await gateway.call('GET', '/api/v1/auths/', { token: key })
      expect(await known.json()).toMatchObject({ name: 'Ada', role: 'admin' })
      const chat = await gateway.call('POST', '/api/v1/chats/new', {
        token,
        body: { chat: { title: 'Third', history: { messages: {}, currentId: null } } },
      })
      expect(chat.status).toBe(200)
    })

    it('brings all rows back as they were', async () => {
      const address = await newAddress()
      expect(await run(['move-data', '--to', address, '--data-dir', folder])).toMatchObject({
        code: 0,
      })
      const back = newFolder()
      const moved = await run(['move-data', '--from', address, '--to', `sqlite:${back}`])
      expect(moved).toMatchObject({ code: 0 })
      const before = readRows(folder)
      const text = JSON.stringify(before)
      expect(JSON.parse(text.replaceAll(String.raw`\u0000`, '\u{fffd}'))).toEqual(
        JSON.parse(JSON.stringify(readRows(back))),
      )
      writeFileSync(path.join(back, 'secret.key'), `${secret}\n`, { mode: 0o600 })
      const gateway = await startTestServer({ dataDir: back })
      onTestFinished(() => gateway.close())
      expect(await search(gateway, token, 'badgers')).toEqual(found)
      await expect
        .poll(() => askBees(gateway, token), { timeout: 30_000 })
        .toEqual(['Bees gather nectar.'])
    })

    it.skipIf(lacksObjectStore)(
      'takes uploads to a bucket and back, and goes on where it was stopped',
      async () => {
        const store = await startObjectStore()
        onTestFinished(() => store.close())
        const { S3_BUCKET_NAME, ...environment } = store.environment
        const files = `s3://${S3_BUCKET_NAME}/moved`
        const never = new AbortController().signal
        const address = await newAddress()
        const words = [
          'move-data',
          '--to',
          address,
          '--files',
          files,
          '--data-dir',
          folder,
          '--json',
        ]
        await store.cut()
        const away = await run(words, never, environment)
        expect(away).toMatchObject({ code: 1, error: expect.stringContaining('S3_ENDPOINT_URL') })
        await store.mend()
        const moved = await run(words, never, environment)
        expect(moved).toMatchObject({ code: 0 })
        expect(JSON.parse(moved.out)).toMatchObject({ uploads: { files: 1, bytes: 11 } })
        expect(await store.names()).toEqual([expect.stringMatching(/^moved\//)])
        const back = newFolder()
        const returned = await run(
          ['move-data', '--from', address, '--files', files, '--to', `sqlite:${back}`],
          never,
          environment,
        )
        expect(returned).toMatchObject({ code: 0 })
        writeFileSync(path.join(back, 'secret.key'), `${secret}\n`, { mode: 0o600 })
        const gateway = await startTestServer({ dataDir: back })
        onTestFinished(() => gateway.close())
        const bytes = await gateway.call('GET', `/api/v1/files/${fileId}/content`, { token })
        expect(await bytes.text()).toBe('About foxes')
      },
    )

    it('leaves nothing behind when it is stopped, and can be started again', async () => {
      const address = await newAddress()
      const stopping = new AbortController()
      const stopped = run(['move-data', '--to', address, '--data-dir', folder], stopping.signal)
      stopping.abort()
      expect((await stopped).code).toBe(1)
      expect(await run(['move-data', '--to', address, '--data-dir', folder])).toMatchObject({
        code: 0,
      })
      const back = newFolder()
      const aborted = AbortSignal.abort()
      expect(
        (await run(['move-data', '--from', address, '--to', `sqlite:${back}`], aborted)).code,
      ).toBe(1)
      expect(existsSync(path.join(back, 'chat-gateway.db'))).toBe(false)
      expect(existsSync(path.join(back, 'chat-gateway.db.moving'))).toBe(false)
    })

    it('refuses a used target, a running gateway, and what is none', async () => {
      const address = await newAddress()
      const words = ['move-data', '--to', address, '--data-dir', folder]
      expect((await run(words)).code).toBe(0)
      expect(await run(words)).toMatchObject({ code: 1, error: expect.stringContaining('in use') })
      const full = await run(['move-data', '--from', address, '--to', `sqlite:${folder}`])
      expect(full).toMatchObject({ code: 1, error: expect.stringContaining('holds a database') })
      const gateway = await startOn(address)
      onTestFinished(() => gateway.close())
      const running = await run(['move-data', '--from', address, '--to', `sqlite:${newFolder()}`])
      expect(running).toMatchObject({
        code: 1,
        error: expect.stringContaining('Another Chat Gateway'),
      })
      const local = await startTestServer()
      onTestFinished(() => local.close())
      const busy = await run(['move-data', '--to', await newAddress(), '--data-dir', local.dataDir])
      expect(busy).toMatchObject({ code: 1, error: expect.stringContaining('already uses') })
      const empty = await run(['move-data', '--to', await newAddress(), '--data-dir', newFolder()])
      expect(empty).toMatchObject({ code: 1, error: expect.stringContaining('no database') })
      for (const wrong of [
        [],
        ['--to', 'mysql://x'],
        ['--to', `sqlite:${folder}`],
        ['--from', address, '--to', address],
      ])
        expect((await run(['move-data', ...wrong])).code).toBe(2)
    })

    it('keeps nothing when a row does not arrive as it was', async () => {
      const address = await newAddress()
      const client = new pg.Client(address)
      await client.connect()
      onTestFinished(() => client.end())
      // Creates the schema, and makes one table discard its inserts.
      expect((await run(['move-data', '--to', address, '--data-dir', newFolder()])).code).toBe(1)
      await (await startOn(address)).close()
      await client.query('delete from root_secret_check; delete from setting')
      await client.query('create rule forgetful as on insert to note do instead nothing')
      const lost = await run(['move-data', '--to', address, '--data-dir', folder]).catch(
        (error: unknown) => String(error),
      )
      expect(lost).toContain('note did not arrive as it was')
      const { rows } = await client.query('select id from "user"')
      expect(rows).toEqual([])
    })
  },
)
