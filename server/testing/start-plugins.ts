import type { Message } from '#contract/chats.ts'
import type { Script, Step } from './fake-upstream/script.ts'
import { pluginEnvironment } from './plugin-python.ts'
import {
  startConversation,
  type Conversation,
  type OpenChat,
  type TestSocket,
} from './start-conversation.ts'
import type { Fields } from '../lib/is-record.ts'

/** A piece of text of a scripted answer. */
export const say = (text: string): Step => ({ kind: 'content', text })
/** A tool call in a scripted answer. */
export const callTool = (name: string, args: Record<string, unknown> = {}): Step => ({
  kind: 'tool',
  name,
  arguments: args,
})

/** A gateway that really runs its plugins, with a scripted model; an administrator is signed in. */
export interface PluginServer extends Pick<
  Conversation,
  'server' | 'token' | 'finished' | 'addUser' | 'openSocket' | 'createChat'
> {
  readonly raw: Conversation
  /** Calls an endpoint below /api/v1; throws on a refusal, with its status. */
  api(method: string, path: string, body?: unknown, token?: string): Promise<unknown>
  createTool(id: string, content: string): Promise<unknown>
  /** Stores a function and enables it. */
  createFunction(id: string, content: string, options?: { global?: boolean }): Promise<unknown>
  /** Makes a function global during an operation. */
  withGlobal(id: string, work: () => Promise<void>): Promise<void>
  /** Sets the steps of the model in each round of tool calls. */
  rounds(...rounds: readonly (readonly Step[])[]): void
  complete(body: Fields, token?: string): Promise<{ status: number; body: Fields }>
  askInChat(
    question: string,
    body?: Fields,
  ): Promise<{ chat: OpenChat; message: Message; socket: TestSocket }>
  beginInChat(
    question: string,
    body?: Fields,
  ): Promise<{ chat: OpenChat; taskId: string; socket: TestSocket }>
  readMessage(chat: OpenChat): Promise<Message>
  lastBody(): Fields
  /** Returns the tool results in the last request to the model. */
  toolTexts(): string[]
  /** Returns the settings of a tool as stored in the database. */
  rawValves(id: string): Promise<string>
  close(): Promise<void>
}

const toRequest = (body: Fields): Fields => ({
  model: 'text',
  messages: [{ role: 'user', content: 'Hello' }],
  stream: false,
  ...body,
})

async function callApi(
  { server, token }: Conversation,
  method: string,
  path: string,
  options: { body?: unknown; token?: string },
): Promise<unknown> {
  const { pathname, search } = new URL(path, 'http://x/api/v1/')
  const reply = await server.call(method, pathname + search, { token, ...options })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${reply.status} ${text}`)
  return JSON.parse(text) as unknown
}

/** Asks a question in a new chat; the answer arrives over a socket. */
async function begin(raw: Conversation, question: string, body: Fields = {}) {
  const socket = await raw.openSocket()
  const chat = await raw.createChat(question)
  const messages = [{ role: 'user', content: question }]
  const place = { chat_id: chat.chat_id, id: chat.id, session_id: socket.sessionId }
  const reply = await raw.complete(toRequest({ messages, stream: true, ...place, ...body }))
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${reply.status} ${text}`)
  return { chat, socket, taskId: (JSON.parse(text) as { task_id: string }).task_id }
}

/** Returns the bodies of the requests the model received. */
const bodiesOf = (raw: Conversation): Fields[] =>
  raw.upstream.requests.map(({ json }) => json ?? {}).filter((json) => 'messages' in json)

export async function startPlugins(
  environment: Readonly<Record<string, string>> = {},
): Promise<PluginServer> {
  let rounds: readonly (readonly Step[])[] = [[say('Hello.')]]
  const script: Script = async ({ messages }) => {
    const round = messages.filter((message) => 'tool_calls' in message).length
    return { steps: rounds[Math.min(round, rounds.length - 1)] ?? [] }
  }
  const raw = await startConversation({
    upstream: { models: ['text'], script },
    environment: { ...pluginEnvironment, ...environment },
  })
  const api: PluginServer['api'] = (method, path, body, token = raw.token) =>
    callApi(raw, method, path, { token, ...(body !== undefined && { body }) })
  const toggleGlobal = (id: string) => api('POST', `functions/id/${id}/toggle/global`)

  return {
    ...raw,
    raw,
    api,
    createTool: (id, content) => api('POST', 'tools/create', { id, name: id, content }),
    async createFunction(id, content, { global = false } = {}) {
      await api('POST', 'functions/create', { id, name: id, content })
      if (global) await toggleGlobal(id)
      return api('POST', `functions/id/${id}/toggle`)
    },
    async withGlobal(id, work) {
      await toggleGlobal(id)
      try {
        await work()
      } finally {
        await toggleGlobal(id)
      }
    },
    rounds: (...next) => (rounds = next),
    async complete(body, token = raw.token) {
      const reply = await raw.complete(toRequest(body), { token })
      return { status: reply.status, body: (await reply.json()) as Fields }
    },
    async askInChat(question, body) {
      const { chat, socket } = await begin(raw, question, body)
      return { chat, socket, message: await raw.finished(chat) }
    },
    beginInChat: (question, body) => begin(raw, question, body),
    readMessage: (chat) => raw.readMessage(chat),
    lastBody: () => bodiesOf(raw).at(-1)!,
    toolTexts: () =>
      (bodiesOf(raw).at(-1)!['messages'] as { role: string; content: string }[])
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content),
    async rawValves(id) {
      const row = await raw.server.context.storage
        .prepare<[string], { valves: string }>(
          "select valves from plugin where store = 'tool' and id = ?",
        )
        .get(id)
      return row!.valves
    },
  }
}
