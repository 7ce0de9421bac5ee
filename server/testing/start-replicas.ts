import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { addressOf, createEmptyDatabase } from './create-postgres-test-storage.ts'
import { startFakeCompatible } from './fake-upstream/fake-compatible.ts'
import type { Step } from './fake-upstream/script.ts'
import { startPostgres } from './start-postgres.ts'
import { startGatewayProcess, type GatewayProcess } from './start-process.ts'
import { startRedis } from './start-redis.ts'

/** Long, because several gateways start at once. */
const START_LIMIT_MILLISECONDS = 90_000
const PASSWORD = 'correct horse battery'
const ENTRY = path.resolve(import.meta.dirname, '../index.ts')

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- replies of any shape are read
  readonly body: any
}

// oxlint-disable-next-line typescript/no-explicit-any -- frames of any shape are read
export type Frame = any

/** A gateway, or the proxy in front of several. */
export type Reachable = Pick<GatewayProcess, 'url'>

/** Calls a gateway on behalf of a user. */
export async function call(
  { url }: Reachable,
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
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  }
}

/** A window of the UI, with all frames it received. */
export interface Window {
  readonly session: string
  readonly frames: Frame[]
  readonly socket: WebSocket
  readonly closed: Promise<number>
  /**
   * Resolves with the first frame for which `fits` returns true, including frames already received.
   */
  find(fits: (frame: Frame) => boolean, milliseconds?: number): Promise<Frame>
  send(frame: unknown): void
}

/** Opens a window in the foreground on a gateway. */
export async function openWindow({ url }: Reachable, token: string): Promise<Window> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  socket.on('error', () => undefined)
  const frames: Frame[] = []
  const closed = once(socket, 'close').then(([code]) => code as number)
  const ready = once(socket, 'message')
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())))
  await ready
  const send = (frame: unknown): void => socket.send(JSON.stringify(frame))
  send({ type: 'focus', focused: true })
  return {
    session: frames[0].session_id as string,
    frames,
    socket,
    closed,
    send,
    async find(fits, milliseconds = 5000) {
      const deadline = performance.now() + milliseconds
      for (;;) {
        const found = frames.find(fits)
        if (found !== undefined) return found
        if (performance.now() > deadline)
          throw new Error(`No such frame among ${JSON.stringify(frames).slice(0, 2000)}`)
        await sleep(10)
      }
    },
  }
}

/** Returns the text chunks of an answer as a window received them. */
export const textFrames = ({ frames }: Window, messageId = 'answer'): Frame[] =>
  frames.filter(
    (frame) => frame.message_id === messageId && frame.data?.type === 'chat:message:delta',
  )

export const isEndOf =
  (messageId = 'answer') =>
  (frame: Frame): boolean =>
    frame.message_id === messageId &&
    frame.data?.type === 'chat:completion' &&
    frame.data.data.done === true

/**
 * A model that sends as many pieces as its question asks for, at a pace, holding back the last one
 * until it is released if the question says so; or uses the tool the question names.
 */
const startModel = (released: Promise<void>) =>
  startFakeCompatible({
    models: ['cloud-1'],
    script: async ({ body }) => {
      const { messages } = body as { messages: { role: string; content: string }[] }
      const question = String(messages.at(-1)?.content ?? '')
      const tool = /Use (\w+)/.exec(question)?.[1]
      if (tool) return { steps: [{ kind: 'tool', name: tool, arguments: { text: 'hello' } }] }
      const asked = /(\d+) pieces every (\d+)/.exec(question)
      const [, count = '3', pause = '5'] = asked ?? []
      const pieces: Step[] = Array.from({ length: Number(count) }, (_, index): Step[] => [
        { kind: 'content', text: `piece ${index}. ` },
        { kind: 'wait', milliseconds: Number(pause) },
      ]).flat()
      if (question.includes('until released'))
        pieces.splice(-2, 0, { kind: 'until', settled: released })
      return { steps: [...pieces, { kind: 'usage', prompt: 5, completion: Number(count) }] }
    },
  })

/** Signs a user up or in. */
async function sign(
  gateway: Reachable,
  name: string,
  way: 'signup' | 'signin' = 'signup',
): Promise<string> {
  const given = { email: `${name.toLowerCase()}@example.com`, password: PASSWORD }
  const body = { ...given, ...(way === 'signup' && { name }) }
  const reply = await call(gateway, '', ['POST', `/api/v1/auths/${way}`, body])
  if (!reply.body.token) throw new Error(JSON.stringify(reply.body))
  return reply.body.token as string
}

/** Creates an account and signs it in. */
async function add(gateway: Reachable, admin: string, name: string): Promise<string> {
  const given = { name, email: `${name.toLowerCase()}@example.com`, password: PASSWORD }
  const body = { ...given, role: 'user' }
  const added = await call(gateway, admin, ['POST', '/api/v1/auths/add', body])
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
  return sign(gateway, name, 'signin')
}

/** Creates a chat with one question. */
async function newChat(gateway: Reachable, token: string, content: string): Promise<string> {
  const question = {
    id: 'question',
    parentId: null,
    childrenIds: [],
    role: 'user',
    content,
    timestamp: 1,
    models: ['cloud-1'],
  }
  const chat = {
    title: 'Badgers',
    models: ['cloud-1'],
    history: { currentId: 'question', messages: { question } },
  }
  const made = await call(gateway, token, ['POST', '/api/v1/chats/new', { chat }])
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  return made.body.id as string
}

interface Question {
  readonly chat: string
  readonly content: string
  readonly session: string
  readonly tool_ids?: readonly string[]
}

/** Asks like a window; the answer arrives over its socket. */
function ask(
  gateway: Reachable,
  token: string,
  { chat, content, session, ...more }: Question,
): Promise<Reply> {
  const body = {
    model: 'cloud-1',
    stream: true,
    chat_id: chat,
    id: 'answer',
    parent_id: 'question',
    session_id: session,
    messages: [{ role: 'user', content }],
    ...more,
  }
  return call(gateway, token, ['POST', '/api/chat/completions', body])
}

async function readAnswer(gateway: Reachable, token: string, chat: string) {
  const reply = await call(gateway, token, ['GET', `/api/v1/chats/${chat}`])
  return reply.body.chat.history.messages.answer
}

/**
 * Starts a gateway that is expected to refuse; resolves with its exit code, its output, and the
 * time it took.
 */
async function startRefused(environment: Record<string, string>) {
  const began = performance.now()
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [ENTRY], {
    env: { PATH, HOME, PORT: '0', LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (said += bytes.toString()))
  await once(child, 'exit')
  return { code: child.exitCode, said, seconds: (performance.now() - began) / 1000 }
}

/** A separate folder for each gateway, as on separate computers. */
class Folders {
  readonly #folders: string[] = []

  add(): string {
    const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-replicas-'))
    this.#folders.push(folder)
    return folder
  }

  remove(): void {
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true })
  }
}

async function killAll(gateways: readonly GatewayProcess[]): Promise<void> {
  const open = gateways.filter(({ child }) => child.exitCode === null && child.signalCode === null)
  await Promise.all(
    open.map((each) => {
      each.child.kill('SIGCONT')
      return each.kill()
    }),
  )
}

/** Starts a PostgreSQL, a Redis and a model, on which a test can start any number of gateways. */
export async function startReplicas() {
  const folders = new Folders()
  const postgres = await startPostgres()
  let redis = await startRedis({ folder: folders.add() })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const model = await startModel(released)
  const address = addressOf(postgres.address, await createEmptyDatabase(postgres.address))
  const running: GatewayProcess[] = []

  const environmentOf = (more: Record<string, string>): Record<string, string> => ({
    DATABASE_URL: address,
    REDIS_URL: redis.url,
    DATA_DIR: folders.add(),
    WEBUI_SECRET_KEY: 'a long random text',
    OPENAI_API_BASE_URL: model.url,
    LOCAL_RUNTIME_PORTS: '',
    ENABLE_BUILT_IN_RUNTIME: 'false',
    ENABLE_API_KEYS: 'true',
    ...more,
  })

  return {
    sign,
    add,
    newChat,
    ask,
    readAnswer,
    address,
    postgres,
    model,
    /** Completes the answers that wait for it. */
    release,
    folders,
    get redis() {
      return redis
    },
    async start(more: Record<string, string> = {}): Promise<GatewayProcess> {
      const gateway = await startGatewayProcess(environmentOf(more), START_LIMIT_MILLISECONDS)
      running.push(gateway)
      return gateway
    },
    refusal: (more: Record<string, string>) => startRefused(environmentOf(more)),
    stopRedis: () => redis.close(),
    async startRedisAgain(): Promise<void> {
      redis = await startRedis(redis)
    },
    async close(): Promise<void> {
      await killAll(running)
      await model.close()
      await redis.close()
      await postgres.close()
      folders.remove()
    },
  }
}

export type Replicas = Awaited<ReturnType<typeof startReplicas>>
