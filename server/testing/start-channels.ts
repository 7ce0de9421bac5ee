import { expect, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { ChannelEvent } from '#contract/channel-events.ts'
import type { ChannelMessage } from '#contract/channel-messages.ts'
import type { OpenChannel } from '#contract/channels.ts'
import type { AnyShape } from './any-shape.ts'
import { startTestServer, type TestServer } from './start-server.ts'

const PASSWORD = 'one password for all'
const NAMES = ['admin', 'ada', 'bob', 'eve'] as const
export type ChannelPerson = (typeof NAMES)[number]

/** A frame about a channel. */
export interface HeardFrame {
  readonly type: string
  readonly channel_id: string
  readonly message_id: string | null
  readonly user: { readonly id: string; readonly name: string } | null
  readonly data: ChannelEvent & { readonly data: AnyShape }
}

export interface HeardSocket {
  /** Received channel frames, in order. */
  readonly frames: HeardFrame[]
  /** Error messages with which the gateway refused frames. */
  readonly errors: string[]
  types(): string[]
  /** Resolves with the first frame of a type, and waits for it if necessary. */
  heard(type: ChannelEvent['type'], fits?: (frame: HeardFrame) => boolean): Promise<HeardFrame>
  send(frame: object): void
  /** Resolves when everything sent before has been answered. */
  settled(): Promise<void>
  close(): void
}

/** A gateway with channels, an administrator and three users. */
export interface ChannelWorld {
  readonly server: TestServer
  readonly ids: Readonly<Record<ChannelPerson, string>>
  readonly tokens: Readonly<Record<ChannelPerson, string>>
  readonly call: (
    name: ChannelPerson,
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; body: AnyShape }>
  readonly get: (name: ChannelPerson, path: string) => Promise<AnyShape>
  readonly post: (name: ChannelPerson, path: string, body?: unknown) => Promise<AnyShape>
  readonly newGroup: (maker: ChannelPerson, ...members: ChannelPerson[]) => Promise<OpenChannel>
  readonly newPublic: (
    grants: readonly { id: string; permission: 'read' | 'write' }[],
    more?: object,
  ) => Promise<OpenChannel>
  readonly say: (
    name: ChannelPerson,
    channelId: string,
    content: string,
    more?: object,
  ) => Promise<ChannelMessage>
  readonly listen: (name: ChannelPerson) => Promise<HeardSocket>
  readonly close: () => Promise<void>
}

function openSocket(url: string, token: string): Promise<HeardSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const frames: HeardFrame[] = []
  const errors: string[] = []
  let pongs = 0
  const heardSocket: HeardSocket = {
    frames,
    errors,
    types: () => frames.map(({ data }) => data.type),
    async heard(type, fits = () => true) {
      const find = () => frames.find((frame) => frame.data.type === type && fits(frame))
      await expect
        .poll(find, { message: `${type} among ${heardSocket.types().join(', ')}`, timeout: 5000 })
        .toBeDefined()
      return find()!
    },
    send: (frame) => socket.send(JSON.stringify(frame)),
    async settled() {
      const wanted = pongs + 1
      socket.send('{"type":"ping"}')
      await expect.poll(() => pongs).toBe(wanted)
    },
    close: () => socket.terminate(),
  }
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString('utf8')) as HeardFrame & { detail: string }
      if (frame.type === 'ready') resolve(heardSocket)
      else if (frame.type === 'pong') pongs += 1
      else if (frame.type === 'error') errors.push(frame.detail)
      else frames.push(frame)
    })
  })
}

export async function startChannels(
  environment: Readonly<Record<string, string>> = {},
): Promise<ChannelWorld> {
  const server = await startTestServer({
    environment: { ENABLE_CHANNELS: 'true', ...environment },
    config: { uiDir: null },
  })
  const { users } = server.context
  const tokens = { admin: await server.signUp('Admin'), ada: '', bob: '', eve: '' }
  const ids = { admin: (await users.first())!.id, ada: '', bob: '', eve: '' }
  const passwordHash = await users.hashPassword(PASSWORD)
  for (const name of ['ada', 'bob', 'eve'] as const) {
    const email = `${name}@example.com`
    ids[name] = (
      await users.create({
        name: name[0]!.toUpperCase() + name.slice(1),
        email,
        role: 'user',
        passwordHash,
      })
    ).id
    const reply = await server.call('POST', '/api/v1/auths/signin', {
      body: { email, password: PASSWORD },
    })
    tokens[name] = ((await reply.json()) as { token: string }).token
  }

  const call: ChannelWorld['call'] = async (name, method, path, body) => {
    const reply = await server.call(method, `/api/v1/${path}`, { token: tokens[name], body })
    const text = await reply.text()
    return { status: reply.status, body: text === '' ? null : JSON.parse(text) }
  }
  const good = async (...given: Parameters<ChannelWorld['call']>): Promise<AnyShape> => {
    const reply = await call(...given)
    expect([given[2], reply.status, reply.body]).toEqual([given[2], 200, reply.body])
    return reply.body
  }
  const post: ChannelWorld['post'] = (name, path, body = {}) => good(name, 'POST', path, body)
  return {
    server,
    ids,
    tokens,
    call,
    get: (name, path) => good(name, 'GET', path),
    post,
    newGroup: (maker, ...members) =>
      post(maker, 'channels/create', {
        name: 'Team',
        type: 'group',
        user_ids: members.map((name) => ids[name]),
      }),
    newPublic: (grants, more = {}) =>
      post('admin', 'channels/create', {
        name: 'Town',
        access_grants: grants.map(({ id, permission }) => ({
          principal_type: 'user',
          principal_id: id,
          permission,
        })),
        ...more,
      }),
    say: (name, channelId, content, more = {}) =>
      post(name, `channels/${channelId}/messages/post`, { content, ...more }),
    async listen(name) {
      const socket = await openSocket(server.url, tokens[name])
      onTestFinished(() => socket.close())
      return socket
    },
    close: () => server.close(),
  }
}
