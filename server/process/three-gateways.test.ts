import pg from 'pg'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { changeConnection, changePlugin } from '../testing/change-across-gateways.ts'
import { pluginEnvironment, pluginPython } from '../testing/plugin-python.ts'
import { startMcpServer, type TestMcpServer } from '../testing/start-mcp-server.ts'
import { hasNginx } from '../testing/start-nginx.ts'
import { hasPostgres } from '../testing/start-postgres.ts'
import type { GatewayProcess } from '../testing/start-process.ts'
import { hasRedis } from '../testing/start-redis.ts'
import {
  call,
  isEndOf,
  openWindow,
  textFrames,
  type Frame,
  type Window,
} from '../testing/start-replicas.ts'
import { acrossGateways } from '../testing/sign-in-across-gateways.ts'
import { startThree, type ThreeGateways } from '../testing/start-three.ts'

/** Each gateway is a process that loads its sources anew. */
const SLOW = 180_000
const SEEN = { timeout: 2000, interval: 25 }
const byText = (one: string, other: string): number => one.localeCompare(other)
const ENDED = { timeout: 1000, interval: 25 }

describe.skipIf(!hasPostgres || !hasRedis || !hasNginx)(
  'three gateways behind nginx on one PostgreSQL and one Redis',
  { timeout: SLOW },
  () => {
    let three: ThreeGateways
    let first: GatewayProcess
    let second: GatewayProcess
    let third: GatewayProcess
    let admin: string
    let bob: string
    let bobId: string

    beforeAll(async () => {
      three = await startThree({ ...pluginEnvironment, ENABLE_OAUTH_PERSISTENT_CONFIG: 'true' })
      ;[first, second, third] = three.gateways as [GatewayProcess, GatewayProcess, GatewayProcess]
      admin = await three.world.sign(first, 'Ada')
      bob = await three.world.add(second, admin, 'Bob')
      bobId = (await get(first, bob, '/api/v1/auths/')).id
    }, SLOW)
    afterAll(() => three.close(), SLOW)

    const get = async (gateway: { url: string }, token: string, target: string) =>
      (await call(gateway, token, ['GET', target])).body
    const post = async (gateway: { url: string }, token: string, target: string, body: unknown) => {
      const reply = await call(gateway, token, ['POST', target, body])
      expect([target, reply.status, reply.body]).toEqual([target, 200, reply.body])
      return reply.body
    }
    const statusOf = async (gateway: { url: string }, token: string) =>
      (await call(gateway, token, ['GET', '/api/v1/auths/'])).status

    it('show an answer of one in windows on the two others, and stop it by a call to any', async () => {
      const windows = await Promise.all([openWindow(second, admin), openWindow(third, admin)])
      const content = 'Say 2000 pieces every 20'
      const chat = await three.world.newChat(three.nginx, admin, content)
      await three.world.ask(first, admin, { chat, content, session: windows[0].session })
      for (const window of windows)
        await vi.waitFor(() => expect(textFrames(window).length).toBeGreaterThan(2), 5000)
      const [task] = (await get(three.nginx, admin, `/api/tasks/chat/${chat}`)).task_ids
      await post(third, admin, `/api/tasks/stop/${task}`, {})
      for (const window of windows) {
        await window.find(isEndOf())
        let text = ''
        for (const { data } of textFrames(window)) {
          expect(data.data.offset).toBe(text.length)
          text += data.data.content
        }
      }
      expect(textFrames(windows[0])).toEqual(textFrames(windows[1]))
      expect(await three.world.readAnswer(second, admin, chat)).toMatchObject({ done: true })
    })

    describe('with a tool that asks', () => {
      let desk: TestMcpServer
      beforeAll(async () => {
        desk = await startMcpServer([{ name: 'note', description: 'Writes a note' }])
        const server = {
          type: 'mcp',
          url: desk.url,
          auth_type: 'none',
          info: { id: 'desk', name: 'Desk' },
          config: { approval: 'always' },
        }
        await post(first, admin, '/api/v1/configs/tool_servers', {
          TOOL_SERVER_CONNECTIONS: [server],
        })
        await vi.waitUntil(
          async () =>
            (await get(second, admin, '/api/v1/tools/')).some(
              ({ id }: Frame) => id === 'server:mcp:desk',
            ),
          SEEN,
        )
      })
      afterAll(() => desk.close())

      it.each(['allow', 'deny'])(
        'ask the window on another gateway than the one that answers, once: %s',
        async (decision) => {
          const window = await openWindow(third, admin)
          window.socket.on('message', (data: Buffer) => {
            const frame = JSON.parse(data.toString()) as Frame
            if (frame.type !== 'call') return
            const result = { decision, scope: 'once' }
            window.send({ type: 'call:result', call_id: frame.call_id, result })
          })
          const content = 'Use desk_note'
          const chat = await three.world.newChat(first, admin, content)
          await three.world.ask(second, admin, {
            chat,
            content,
            session: window.session,
            tool_ids: ['server:mcp:desk'],
          })
          // The end of an earlier answer may still arrive.
          const isEnd = isEndOf()
          await window.find((frame) => frame.chat_id === chat && isEnd(frame), 15_000)
          const calls = window.frames.filter(({ type }) => type === 'call')
          const answer = await three.world.readAnswer(first, admin, chat)
          expect(calls, JSON.stringify(answer)).toHaveLength(1)
          expect(calls[0].data).toMatchObject({
            type: 'tool:approval',
            data: { name: 'desk_note', arguments: { text: 'hello' } },
          })
          const sent = JSON.stringify(three.world.model.requests.at(-1)!.json!['messages'])
          expect(sent.includes('nobody said hello')).toBe(decision === 'allow')
        },
      )

      it('ask a client of Socket.IO on another gateway, with what it acknowledges', async () => {
        const socket = io(third.url, {
          path: '/ws/socket.io',
          transports: ['websocket'],
          auth: { token: admin },
          reconnection: false,
        })
        onTestFinished(() => void socket.disconnect())
        const asked: Frame[] = []
        socket.on('events', (event: Frame, acknowledge?: (value: unknown) => void) => {
          if (event.data.type !== 'confirmation') return
          asked.push(event)
          acknowledge?.(true)
        })
        await new Promise<void>((resolve) => void socket.once('connect', resolve))
        await socket.emitWithAck('heartbeat', {})
        const content = 'Use desk_note'
        const chat = await three.world.newChat(first, admin, content)
        await three.world.ask(second, admin, {
          chat,
          content,
          session: socket.id!,
          tool_ids: ['server:mcp:desk'],
        })
        await vi.waitFor(async () => {
          expect(await three.world.readAnswer(first, admin, chat)).toMatchObject({ done: true })
        }, 15_000)
        expect(asked).toHaveLength(1)
        const sent = JSON.stringify(three.world.model.requests.at(-1)!.json!['messages'])
        expect(sent).toContain('nobody said hello')
      })
    })

    it('carry channels: each message once to everybody, in one order of times, typing and who is there', async () => {
      const channel = await post(first, admin, '/api/v1/channels/create', {
        name: 'Team',
        type: 'group',
        user_ids: [bobId],
      })
      const windows: Window[] = []
      for (const gateway of three.gateways) windows.push(await openWindow(gateway, bob))
      const ada = await openWindow(first, admin)
      const sent = await Promise.all(
        Array.from({ length: 45 }, (_, index) =>
          post(three.gateways[index % 3]!, admin, `/api/v1/channels/${channel.id}/messages/post`, {
            content: `Message ${index}`,
          }),
        ),
      )
      const ids = sent.map(({ id }) => id as string).toSorted(byText)
      const idsOf = ({ frames }: Window): string[] =>
        frames
          .filter(({ type, data }) => type === 'events:channel' && data.type === 'message')
          .map(({ data }) => data.data.id)
      for (const window of [...windows, ada])
        await vi.waitFor(() => expect(idsOf(window).toSorted(byText)).toEqual(ids), 5000)
      const [here, there] = await Promise.all(
        [first, third].map((gateway) =>
          get(gateway, bob, `/api/v1/channels/${channel.id}/messages?limit=100`),
        ),
      )
      expect(here).toEqual(there)
      const times = here.map(({ created_at }: Frame) => created_at)
      expect(new Set(times).size).toBe(45)
      expect(times.toSorted((one: number, other: number) => other - one)).toEqual(times)

      ada.send({
        type: 'channel',
        channel_id: channel.id,
        data: { type: 'typing', data: { typing: true } },
      })
      for (const window of windows)
        await window.find(({ type, data }) => type === 'events:channel' && data.type === 'typing')
      await post(second, bob, `/api/v1/channels/${channel.id}/read`, {})
      const mark = (await get(third, bob, `/api/v1/channels/${channel.id}`)).unread_count
      expect(mark).toBe(0)
      await vi.waitFor(
        async () =>
          expect(await get(third, admin, `/api/v1/users/${bobId}/info`)).toMatchObject({
            is_active: true,
          }),
        5000,
      )
      expect(
        (await call(first, admin, ['DELETE', `/api/v1/channels/${channel.id}/delete`])).status,
      ).toBe(200)
    })

    it('run each automation once, whichever of them find it due', async () => {
      const create = (gateway: GatewayProcess, name: string, isActive: boolean) =>
        post(gateway, admin, '/api/v1/automations/create', {
          name,
          is_active: isActive,
          data: {
            prompt: 'Say 3 pieces every 1',
            model_id: 'cloud-1',
            rrule: 'DTSTART:20300101T090000\nRRULE:FREQ=DAILY',
            timezone: 'UTC',
          },
        })
      const ids: string[] = []
      for (let count = 0; count < 12; count += 1)
        ids.push((await create(three.gateways[count % 3]!, `Due ${count}`, true)).id)
      const database = new pg.Client({ connectionString: three.world.address })
      await database.connect()
      await database.query('update automation set next_run_at = $1 where is_active = 1', [
        Date.now() - 1000,
      ])
      await database.end()
      // Any change makes its gateway look for what is due.
      await Promise.all(three.gateways.map((each, index) => create(each, `Look ${index}`, false)))
      for (const [index, id] of ids.entries())
        await vi.waitFor(async () => {
          const runs = await get(
            three.gateways[index % 3]!,
            admin,
            `/api/v1/automations/${id}/runs`,
          )
          expect(runs).toMatchObject([{ status: 'success', cause: 'schedule' }])
        }, 30_000)
      const chats = await get(third, admin, '/api/v1/chats/')
      const titles = (chats as { title: string }[]).map(({ title }) => title)
      expect(titles.filter((title) => title.startsWith('Due ')).toSorted(byText)).toEqual(
        ids.map((_, index) => `Due ${index}`).toSorted(byText),
      )
    })

    it('hold the daily caps of a key together, of calls and of tokens', async () => {
      const create = async (limits: object) =>
        post(first, admin, '/api/v1/auths/api_keys', { name: 'script', ...limits })
      const { api_key: key } = await create({ daily_requests: 10 })
      const replies = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          call(three.gateways[index % 3]!, key, ['GET', '/api/models']),
        ),
      )
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(20)
      expect(
        (await get(second, admin, '/api/v1/auths/api_keys')).find(
          ({ name }: Frame) => name === 'script',
        ).today.requests,
      ).toBe(10)

      const { api_key: capped } = await create({ daily_tokens: 1 })
      const ask = (gateway: GatewayProcess) =>
        call(gateway, capped, [
          'POST',
          '/api/chat/completions',
          { model: 'cloud-1', messages: [{ role: 'user', content: 'Say 3 pieces every 1' }] },
        ])
      expect((await ask(first)).status).toBe(200)
      await vi.waitFor(async () => {
        expect((await ask(second)).status).toBe(429)
        expect((await ask(third)).status).toBe(429)
      }, SEEN)

      const { api_key: shared } = await create({ daily_tokens: 20 })
      const statuses = await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          const content = 'Say 3 pieces every 500'
          const body = { model: 'cloud-1', messages: [{ role: 'user', content }] }
          const request = ['POST', '/api/chat/completions', body] as const
          return (await call(three.gateways[index % 3]!, shared, request)).status
        }),
      )
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 429)).toHaveLength(11)
    })

    it('know within two seconds what one of them changed', async () => {
      for (const each of [second, third]) await get(each, bob, '/api/models')
      const others = async (check: (gateway: GatewayProcess) => Promise<void>) => {
        await vi.waitFor(() => Promise.all([second, third].map(check)), SEEN)
      }
      await post(first, admin, '/api/v1/settings', { values: { WEBUI_NAME: 'Den' } })
      await others(async (each) =>
        expect((await get(each, '', '/api/config')).name).toContain('Den'),
      )

      await post(first, admin, '/api/v1/models/create', {
        id: 'cloud-1',
        base_model_id: null,
        name: 'Cloud',
        meta: {},
        params: {},
        access_grants: [{ principal_type: 'user', principal_id: bobId, permission: 'read' }],
      })
      await post(first, admin, '/api/v1/models/create', {
        id: 'badger',
        base_model_id: 'cloud-1',
        name: 'Badger',
        meta: {},
        params: { system: 'Be brief.' },
        access_grants: [],
      })
      const modelsOf = async (each: GatewayProcess, token: string) =>
        (await get(each, token, '/api/models')).data.map(({ id }: Frame) => id) as string[]
      await others(async (each) => expect(await modelsOf(each, admin)).toContain('badger'))
      for (const each of [second, third]) expect(await modelsOf(each, bob)).not.toContain('badger')

      const group = await post(first, admin, '/api/v1/groups/create', {
        name: 'Diggers',
        description: '',
      })
      await post(first, admin, '/api/v1/models/model/access/update', {
        id: 'badger',
        access_grants: [{ principal_type: 'group', principal_id: group.id, permission: 'read' }],
      })
      await post(first, admin, `/api/v1/groups/id/${group.id}/users/add`, { user_ids: [bobId] })
      await others(async (each) => expect(await modelsOf(each, bob)).toContain('badger'))
      await post(first, admin, `/api/v1/groups/id/${group.id}/users/remove`, { user_ids: [bobId] })
      await others(async (each) => expect(await modelsOf(each, bob)).not.toContain('badger'))

      await post(first, admin, '/api/v1/prompts/create', {
        command: '/dig',
        name: 'Dig',
        content: 'Dig here',
      })
      await others(async (each) =>
        expect((await get(each, admin, '/api/v1/prompts/command/dig')).content).toBe('Dig here'),
      )
    })

    it('end a key, a session and an account everywhere within a second', async () => {
      const key = await post(first, admin, '/api/v1/auths/api_keys', { name: 'other' })
      const eve = await three.world.add(first, admin, 'Eve')
      const session = await three.world.sign(second, 'Eve', 'signin')
      const everywhere = async (token: string, status: number) => {
        await vi.waitFor(
          async () =>
            expect(await Promise.all(three.gateways.map((each) => statusOf(each, token)))).toEqual(
              three.gateways.map(() => status),
            ),
          ENDED,
        )
      }
      for (const token of [key.api_key, eve, session]) await everywhere(token, 200)
      const windows = await Promise.all(three.gateways.map((each) => openWindow(each, eve)))
      await call(second, admin, ['DELETE', `/api/v1/auths/api_keys/${key.id}`])
      await everywhere(key.api_key, 401)
      await get(three.nginx, session, '/api/v1/auths/signout')
      await everywhere(session, 401)
      await everywhere(eve, 200)
      const { id } = await get(first, eve, '/api/v1/auths/')
      expect((await call(third, admin, ['DELETE', `/api/v1/users/${id}`])).status).toBe(200)
      const began = performance.now()
      expect(await Promise.all(windows.map(({ closed }) => closed))).toEqual([4403, 4403, 4403])
      expect(performance.now() - began).toBeLessThan(1000)
      await everywhere(eve, 401)
    })

    it('use within two seconds a connection that one of them added, changed or removed', async () => {
      await expect(changeConnection({ three, admin })).resolves.toBeUndefined()
    })

    it.skipIf(pluginPython === null)(
      'use within two seconds the code and the settings of a plugin that one of them changed',
      async () => {
        await expect(changePlugin({ three, admin })).resolves.toBeUndefined()
      },
    )

    it.each([
      ['finish a sign-in at a tool server that another began, once', 'signInAtToolServer'],
      ['finish the trial of a provider, and end what it logs out', 'tryProvider'],
      ['make one account of simultaneous first sign-ins by a directory', 'signInTwiceByDirectory'],
      ['import an archive that another received', 'importArchive'],
    ] as const)('%s', async (_, name) => {
      await expect(acrossGateways[name]({ three, admin })).resolves.toBeUndefined()
    })
  },
)
