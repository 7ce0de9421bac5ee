import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import { addressOf, createEmptyDatabase } from '../testing/create-postgres-test-storage.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../testing/start-postgres.ts'
import { startGatewayProcess, type GatewayProcess } from '../testing/start-process.ts'

/** Each gateway is a process that loads its sources anew. */
const SLOW = 120_000
const START_LIMIT_MILLISECONDS = 60_000
const PASSWORD = 'correct horse battery'
const OPTIONS = { WEBUI_SECRET_KEY: 'a long random text' }

interface Reply {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- replies of any shape are read
  readonly body: any
}

/** Calls a gateway as one user. */
async function call(
  { url }: GatewayProcess,
  token: string,
  [method, target, body]: readonly [string, string, unknown?],
): Promise<Reply> {
  const response = await fetch(url + target, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(token !== '' && { Authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : JSON.parse(text),
  }
}

describe.skipIf(!hasPostgres)(
  'a gateway whose DATABASE_URL names PostgreSQL',
  { timeout: SLOW },
  () => {
    let server: TestPostgres
    let upstream: FakeUpstream
    let address: string
    let folders: string[]
    let running: GatewayProcess[]

    beforeAll(async () => {
      server = await startPostgres()
      upstream = await startFakeCompatible({
        models: ['cloud-1'],
        script: async () => ({ steps: [{ kind: 'content', text: 'A sentence about badgers.' }] }),
      })
    }, SLOW)
    afterAll(async () => {
      await upstream.close()
      await server.close()
    })
    beforeEach(async () => {
      folders = []
      running = []
      address = addressOf(server.address, await createEmptyDatabase(server.address))
    })
    afterEach(async () => {
      await Promise.all(
        running
          .filter(({ child }) => child.exitCode === null && child.signalCode === null)
          .map((each) => each.kill()),
      )
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    })

    function newFolder(): string {
      const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-postgres-'))
      folders.push(folder)
      return folder
    }

    /** Simulates another computer each time: nothing is stored outside the database. */
    async function start(environment: Record<string, string> = {}): Promise<GatewayProcess> {
      const gateway = await startGatewayProcess(
        {
          DATABASE_URL: address,
          DATA_DIR: newFolder(),
          OPENAI_API_BASE_URL: upstream.url,
          LOCAL_RUNTIME_PORTS: '',
          ENABLE_BUILT_IN_RUNTIME: 'false',
          ...OPTIONS,
          ...environment,
        },
        START_LIMIT_MILLISECONDS,
      )
      running.push(gateway)
      return gateway
    }

    /** Starts a gateway that should refuse to start; returns its exit code and its output. */
    async function refusal(environment: Record<string, string>) {
      const child = spawn(process.execPath, [path.resolve(import.meta.dirname, '../index.ts')], {
        env: {
          PATH: process.env['PATH'],
          HOME: process.env['HOME'],
          PORT: '0',
          LOG_LEVEL: 'error',
          DATA_DIR: newFolder(),
          DATABASE_URL: address,
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (bytes: Buffer) => (said += bytes.toString()))
      await once(child, 'exit')
      return { code: child.exitCode, said }
    }

    const sign = async (gateway: GatewayProcess, way: 'signup' | 'signin'): Promise<string> => {
      const given = {
        email: 'ada@example.com',
        password: PASSWORD,
        ...(way === 'signup' && { name: 'Ada' }),
      }
      return (await call(gateway, '', ['POST', `/api/v1/auths/${way}`, given])).body.token as string
    }

    /** Creates a chat whose question has been answered. */
    async function converse(gateway: GatewayProcess, token: string): Promise<string> {
      const question = {
        id: 'question',
        parentId: null,
        childrenIds: [],
        role: 'user',
        content: 'What do badgers eat?',
        timestamp: 1,
        models: ['cloud-1'],
      }
      const chat = {
        title: 'Badgers',
        models: ['cloud-1'],
        history: { currentId: 'question', messages: { question } },
      }
      const made = await call(gateway, token, ['POST', '/api/v1/chats/new', { chat }])
      expect(made.status).toBe(200)
      const { id } = made.body as { id: string }
      const answered = await call(gateway, token, [
        'POST',
        '/api/chat/completions',
        {
          model: 'cloud-1',
          stream: false,
          chat_id: id,
          id: 'answer',
          parent_id: 'question',
          messages: [{ role: 'user', content: question.content }],
        },
      ])
      expect(answered).toMatchObject({ status: 200 })
      return id
    }

    const readAnswer = async (gateway: GatewayProcess, token: string, id: string) =>
      (await call(gateway, token, ['GET', `/api/v1/chats/${id}`])).body.chat.history.messages.answer

    it('keeps people, chats and answers there, over a restart on another computer', async () => {
      const first = await start()
      const token = await sign(first, 'signup')
      const id = await converse(first, token)
      await vi.waitFor(async () =>
        expect(await readAnswer(first, token, id)).toMatchObject({
          content: 'A sentence about badgers.',
          done: true,
        }),
      )
      expect(await first.terminate()).toBe(0)

      const second = await start()
      expect((await call(second, token, ['GET', '/api/v1/auths/'])).body).toMatchObject({
        name: 'Ada',
        role: 'admin',
      })
      const again = await sign(second, 'signin')
      expect((await call(second, again, ['GET', '/api/v1/chats/'])).body).toMatchObject([
        { id, title: 'Badgers' },
      ])
      expect(await readAnswer(second, again, id)).toMatchObject({
        content: 'A sentence about badgers.',
      })
      await vi.waitFor(async () =>
        expect(
          (await call(second, again, ['GET', '/api/v1/chats/search?text=sentence%20badg'])).body,
        ).toMatchObject([{ id }]),
      )
      expect((await call(second, again, ['GET', '/ready'])).status).toBe(200)
    })

    it('refuses in words what works on SQLite only', async () => {
      const gateway = await start()
      const token = await sign(gateway, 'signup')
      const backup = await call(gateway, token, ['GET', '/api/v1/backups'])
      expect(backup).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining('pg_dump') },
      })
      const snapshots = await call(gateway, token, ['GET', '/api/v1/snapshots/'])
      expect(snapshots).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining('PostgreSQL') },
      })
    })

    it('is not started by accident, without a key, with another one, or beside another gateway', async () => {
      const by = async (environment: Record<string, string>) => {
        const { code, said } = await refusal(environment)
        expect(said).not.toContain('not-asked')
        return { code, said }
      }
      expect(await by({})).toMatchObject({
        code: 2,
        said: expect.stringContaining('WEBUI_SECRET_KEY'),
      })
      const gateway = await start()
      expect(await by(OPTIONS)).toMatchObject({
        code: 1,
        said: expect.stringContaining('REDIS_URL'),
      })
      await gateway.kill()
      expect(await by({ ...OPTIONS, WEBUI_SECRET_KEY: 'another text' })).toMatchObject({
        code: 1,
        said: expect.stringContaining('WEBUI_SECRET_KEY'),
      })
    })

    it('answers 503 while PostgreSQL is away, and goes on when it is there again', async () => {
      const gateway = await start()
      const token = await sign(gateway, 'signup')
      const id = await converse(gateway, token)
      await server.end('SIGKILL')
      const away = await call(gateway, token, ['GET', `/api/v1/chats/${id}`])
      expect(away).toMatchObject({
        status: 503,
        body: { detail: 'The database does not answer. Try again in a moment.' },
      })
      expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await call(gateway, token, ['GET', '/ready'])).status).toBe(503)
      await server.start()
      await vi.waitFor(
        async () => expect((await call(gateway, token, ['GET', '/ready'])).status).toBe(200),
        10_000,
      )
      expect((await call(gateway, token, ['GET', `/api/v1/chats/${id}`])).status).toBe(200)
      expect(
        (
          await call(gateway, token, [
            'POST',
            `/api/v1/chats/${id}`,
            { chat: { title: 'Renamed' } },
          ])
        ).status,
      ).toBe(200)
    })
  },
)
