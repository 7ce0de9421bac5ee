import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/start-server.ts'

let server: TestServer
let token: string

beforeAll(async () => {
  server = await startTestServer({ environment: { WEBUI_NAME: 'Tom & Ann\'s "Chats"' } })
  token = await server.signUp('Ada')
})
afterAll(() => server.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: 'manual' })

describe('bootstrap data', () => {
  test('names every switch and branch that clients look for, also those of things the gateway does not offer', async () => {
    const config = (await (await server.call('GET', '/api/config', { token })).json()) as {
      features: Record<string, unknown>
    }
    expect(config).toMatchObject({
      code: { engine: 'pyodide', interpreter_engine: 'pyodide' },
      audio: { tts: { engine: '', voice: 'alloy' }, stt: { engine: '' } },
      file: { max_size: null, max_count: null, image_compression: { width: null, height: null } },
      google_drive: {},
      onedrive: {},
      license_metadata: null,
    })
    expect(config.features).toMatchObject({
      enable_web_search: false,
      enable_code_execution: true,
      enable_calendar: true,
      enable_autocomplete_generation: false,
    })
  })

  test('tells the limits of uploads, and the directory people may sign in with', async () => {
    const { settings } = server.context
    await settings.update({
      RAG_FILE_MAX_SIZE: 25,
      RAG_FILE_MAX_COUNT: 3,
      ENABLE_LDAP: true,
      LDAP_SERVER_LABEL: 'University',
    })
    const signedIn = await (await server.call('GET', '/api/config', { token })).json()
    expect(signedIn).toMatchObject({ file: { max_size: 25, max_count: 3 } })
    expect(await (await get('/api/config')).json()).toMatchObject({
      features: { enable_ldap: true },
      ldap: { label: 'University' },
    })
    await settings.update({ RAG_FILE_MAX_SIZE: null, RAG_FILE_MAX_COUNT: null, ENABLE_LDAP: null })
    expect(await (await get('/api/config')).json()).not.toHaveProperty('ldap')
  })

  test('says that nobody has to sign in where that is so, and asks for no first account then', async () => {
    const open = await startTestServer({ environment: { WEBUI_AUTH: 'false' } })
    try {
      expect(await (await open.call('GET', '/api/config')).json()).toMatchObject({
        features: { auth: false },
      })
      const { token: session } = (await (
        await open.call('POST', '/api/v1/auths/signin', { body: { email: '', password: '' } })
      ).json()) as { token: string }
      expect((await open.call('GET', '/api/models', { token: session })).status).toBe(200)
    } finally {
      await open.close()
    }
  })

  test('says whether the web can be searched, and whether an engine is set up for that', async () => {
    const features = async () =>
      ((await (await server.call('GET', '/api/config', { token })).json()) as { features: unknown })
        .features
    expect(await features()).toMatchObject({
      enable_web_search: false,
      has_web_search_engine: false,
    })
    const { settings } = server.context
    await settings.update({ ENABLE_WEB_SEARCH: true, WEB_SEARCH_ENGINE: 'searxng' })
    expect(await features()).toMatchObject({
      enable_web_search: true,
      has_web_search_engine: false,
    })
    await settings.update({ SEARXNG_QUERY_URL: 'https://search.example.org/search' })
    expect(await features()).toMatchObject({ enable_web_search: true, has_web_search_engine: true })
  })

  test('the version endpoint names the API line, the product and the deployment', async () => {
    const body = await (await get('/api/version')).json()
    expect(body).toMatchObject({
      version: '0.9.6',
      product_version: expect.any(String),
      deployment_id: '',
    })
  })
})

describe('what browsers ask for', () => {
  test('/manifest.json names the gateway and takes shared texts', async () => {
    const body = await (await get('/manifest.json')).json()
    expect(body).toMatchObject({
      name: 'Tom & Ann\'s "Chats"',
      start_url: './',
      share_target: { params: { text: 'shared', url: 'shared' } },
    })
  })

  test('/opensearch.xml leads searches to /?q= at the address it was asked at, with the name escaped', async () => {
    const reply = await get('/opensearch.xml')
    const text = await reply.text()
    expect(reply.headers.get('content-type')).toContain('application/opensearchdescription+xml')
    expect(text).toContain(`template="${server.url}/?q={searchTerms}"`)
    expect(text).toContain('<Description>Ask Tom &amp; Ann&apos;s &quot;Chats&quot;</Description>')
  })

  test('/watch?v= leads to a new chat about the video, and without one to the start', async () => {
    const watch = await get('/watch?v=dQw4%26x')
    expect([watch.status, watch.headers.get('location')]).toEqual([302, './?youtube=dQw4%26x'])
    expect((await get('/watch')).headers.get('location')).toBe('./')
    expect((await get('/watch/')).headers.get('location')).toBe('../')
  })

  test('an unknown path below /cache is JSON 404, never the page', async () => {
    const reply = await get('/cache/image/generations/x.png')
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      404,
      'application/json; charset=utf-8',
    ])
  })
})

describe('the health of the gateway', () => {
  test.each([
    ['/health', 'The database does not answer.'],
    ['/health/db', 'The database does not answer.'],
    ['/ready', 'Waiting for the database.'],
  ])(
    'is told by %s from a look at the database: 503 in JSON when that fails',
    async (path, detail) => {
      const other = await startTestServer()
      const healthy = await other.call('GET', path)
      expect([healthy.status, await healthy.json()]).toEqual([200, { status: true }])
      other.context.storage.sqlite.close()
      const failed = await other.call('GET', path)
      expect([failed.status, await failed.json()]).toEqual([503, { detail }])
      await other.close().catch(() => null)
    },
  )

  test.each(['moved', 'replaced'])(
    'fails once the database was %s, as nobody would find again what is saved',
    async (what) => {
      const other = await startTestServer()
      const file = path.join(other.context.config.dataDir, 'chat-gateway.db')
      renameSync(file, `${file}.old`)
      if (what === 'replaced') copyFileSync(`${file}.old`, file)
      expect((await other.call('GET', '/health')).status).toBe(503)
      renameSync(`${file}.old`, file)
      expect((await other.call('GET', '/health')).status).toBe(200)
      await other.close()
    },
  )

  test.skipIf(process.platform === 'win32')(
    'fails once the data folder was deleted, and the database is written to it again when it is closed',
    async () => {
      const other = await startTestServer()
      const folder = other.context.config.dataDir
      rmSync(folder, { recursive: true })
      expect((await other.call('GET', '/health')).status).toBe(503)
      const { builder } = other.context.storage
      const row = { key: 'LATE', value: '1', updated_at: 1 }
      await other.context.storage.run(builder.insertInto('setting').values(row))
      expect(other.context.storage.isGone).toBe(true)
      other.context.storage.close()
      expect(readdirSync(folder)).toEqual(['chat-gateway.db'])
      const found = new Sqlite(path.join(folder, 'chat-gateway.db'))
      expect(found.prepare("select value from setting where key = 'LATE'").pluck().get()).toBe('1')
      expect(found.pragma('integrity_check', { simple: true })).toBe('ok')
      found.close()
      await other.close().catch(() => null)
    },
  )

  test('is told while somebody else writes to the database, without waiting for it', async () => {
    const writer = new Sqlite(server.context.config.dataDir + '/chat-gateway.db')
    writer.exec('begin immediate')
    expect((await get('/health')).status).toBe(200)
    writer.exec('rollback')
    writer.close()
  })
})

test('the picture of an e-mail address is named by its hash, however the address is written', async () => {
  const hash = '973dfe463ec85785f5f95af5ba3906eedb2d931c24e69824a89ea65dba4e813b'
  for (const email of ['test@example.com', ' Test@Example.COM ']) {
    const reply = await server.call(
      'GET',
      `/api/v1/utils/gravatar?email=${encodeURIComponent(email)}`,
      { token },
    )
    expect(await reply.json()).toBe(`https://www.gravatar.com/avatar/${hash}?d=mp`)
  }
  expect((await server.call('GET', '/api/v1/utils/gravatar', { token })).status).toBe(422)
})

describe('every reply', () => {
  test.each(['/health', '/api/config', '/api/nothing', '/api/v1/chats/', '/watch'])(
    'of %s says in X-Process-Time how long it took',
    async (path) => {
      expect((await get(path)).headers.get('x-process-time')).toMatch(/^\d+$/)
    },
  )
})

describe('a call without a body', () => {
  const post = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, ...headers },
    })

  test('counts as an empty object', async () => {
    const chat = (await (
      await server.call('POST', '/api/v1/chats/new', { token, body: { chat: { title: 'Paris' } } })
    ).json()) as {
      id: string
    }
    const clone = await post(`/api/v1/chats/${chat.id}/clone`)
    expect([clone.status, ((await clone.json()) as { title: string }).title]).toEqual([
      200,
      'Clone of Paris',
    ])
  })

  test('is answered 422 where something has to be said', async () => {
    expect((await post('/api/v1/chats/new')).status).toBe(422)
  })

  test('but with the type of JSON is malformed', async () => {
    expect((await post('/api/v1/chats/new', { 'Content-Type': 'application/json' })).status).toBe(
      422,
    )
  })
})
