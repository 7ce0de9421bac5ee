import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Chat, Message } from '#contract/chats.ts'
import { startFakeCompatible, type FakeCompatibleOptions } from './fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from './fake-upstream/fake-server.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './start-server.ts'

/** A frame of the socket with the fields that tests check. */
export interface SocketFrame {
  readonly type: string
  readonly chat_id?: string | null
  readonly message_id?: string | null
  readonly data?: { readonly type: string; readonly data: Record<string, unknown> }
}

export interface TestSocket {
  readonly sessionId: string
  readonly frames: readonly SocketFrame[]
  /** Waits for an event of a type, including those already received. */
  event(
    type: string,
  ): Promise<SocketFrame & { data: { type: string; data: Record<string, unknown> } }>
  /** Returns the text of all deltas of a message so far, checked against their offsets. */
  text(messageId: string, type?: string): string
  /** Answers all further calls the gateway sends to this socket. */
  answerCalls(answer: (data: unknown) => unknown): void
  close(): void
}

/**
 * A chat with a question and an empty answer, as a client stores it before it requests the
 * completion.
 */
export interface OpenChat {
  readonly chat_id: string
  readonly questionId: string
  /** Id of the answer. */
  readonly id: string
}

/** A gateway in front of a scripted provider, with an administrator signed in. */
export interface Conversation {
  readonly server: TestServer
  readonly upstream: FakeUpstream
  readonly token: string
  complete(
    body: Record<string, unknown> | string,
    options?: { token?: string; signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<Response>
  createChat(question: string, options?: { token?: string; title?: string }): Promise<OpenChat>
  readChat(chatId: string, token?: string): Promise<Chat>
  readMessage(chat: Pick<OpenChat, 'chat_id' | 'id'>, token?: string): Promise<Message>
  /** Waits until an answer is finished. */
  finished(chat: Pick<OpenChat, 'chat_id' | 'id'>, token?: string): Promise<Message>
  addUser(name: string, role?: 'pending' | 'user'): Promise<string>
  openSocket(token?: string): Promise<TestSocket>
  close(): Promise<void>
}

export interface ConversationOptions {
  readonly upstream?: FakeCompatibleOptions
  readonly environment?: TestServerOptions['environment']
}

const ENDPOINT = '/api/chat/completions'

export async function startConversation(options: ConversationOptions = {}): Promise<Conversation> {
  const upstream = await startFakeCompatible(options.upstream)
  const environment = {
    OPENAI_API_BASE_URLS: upstream.url,
    OPENAI_API_KEYS: 'sk-upstream-key-000000',
    BYPASS_MODEL_ACCESS_CONTROL: 'true',
    ...options.environment,
  }
  const server = await startTestServer({ environment })
  const token = await server.signUp('Ada')
  await server.call('GET', '/api/models?refresh=true', { token })
  const sockets: TestSocket[] = []

  return {
    server,
    upstream,
    token,
    ...createChatCalls(server, token),
    complete: (body, { token: caller = token, signal, headers } = {}) =>
      fetch(server.url + ENDPOINT, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${caller}`,
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        signal,
      }),
    async addUser(name, role = 'user') {
      const body = {
        name,
        email: `${name.toLowerCase()}@example.com`,
        password: 'correct horse battery',
        role,
      }
      const response = await server.call('POST', '/api/v1/auths/add', { token, body })
      return ((await response.json()) as { token: string }).token
    },
    async openSocket(owner = token) {
      const socket = await openTestSocket(server.url, owner)
      sockets.push(socket)
      return socket
    },
    async close() {
      for (const socket of sockets) socket.close()
      await server.close()
      await upstream.close()
    },
  }
}

type ChatCalls = Pick<Conversation, 'createChat' | 'readChat' | 'readMessage' | 'finished'>

function createChatCalls(server: TestServer, token: string): ChatCalls {
  const calls: ChatCalls = {
    async createChat(question, { token: owner = token, title = 'New Chat' } = {}) {
      const { chat, ...ids } = toNewChat(question, title)
      const response = await server.call('POST', '/api/v1/chats/new', {
        token: owner,
        body: { chat },
      })
      return { chat_id: ((await response.json()) as Chat).id, ...ids }
    },
    async readChat(chatId, reader = token) {
      const response = await server.call('GET', `/api/v1/chats/${chatId}`, { token: reader })
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
      return (await response.json()) as Chat
    },
    async readMessage({ chat_id: chatId, id }, reader) {
      const message = (await calls.readChat(chatId, reader)).chat.history.messages[id]
      if (!message) throw new Error(`There is no message ${id}`)
      return message
    },
    async finished(chat, reader) {
      for (let attempt = 0; attempt < 500; attempt += 1) {
        const message = await calls.readMessage(chat, reader)
        if (message.done) return message
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error('The answer did not end.')
    },
  }
  return calls
}

function toNewChat(question: string, title: string) {
  const [questionId, id] = [randomUUID(), randomUUID()]
  const timestamp = Math.floor(Date.now() / 1000)
  const user = {
    id: questionId,
    role: 'user',
    content: question,
    parentId: null,
    childrenIds: [id],
    timestamp,
    models: ['text'],
  }
  const named = { model: 'text', modelName: 'text', modelIdx: 0 }
  const assistant = {
    id,
    role: 'assistant',
    content: '',
    parentId: questionId,
    childrenIds: [],
    timestamp,
    ...named,
  }
  const history = { currentId: id, messages: { [questionId]: user, [id]: assistant } }
  return { questionId, id, chat: { title, models: ['text'], messages: [user, assistant], history } }
}

async function openTestSocket(url: string, token: string): Promise<TestSocket> {
  const webSocket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const frames: SocketFrame[] = []
  const waiting = new Set<() => void>()
  webSocket.on('message', (data) => {
    frames.push(JSON.parse((data as Buffer).toString()) as SocketFrame)
    for (const wake of waiting) wake()
  })
  webSocket.on('error', () => undefined)
  const [first] = (await once(webSocket, 'message')) as [Buffer]
  const { session_id: sessionId } = JSON.parse(first.toString()) as { session_id: string }
  return {
    sessionId,
    frames,
    event: (type) =>
      new Promise((resolve) => {
        const look = () => {
          const frame = frames.find(({ data }) => data?.type === type)
          if (!frame) return
          waiting.delete(look)
          resolve(frame as SocketFrame & { data: { type: string; data: Record<string, unknown> } })
        }
        waiting.add(look)
        look()
      }),
    text(messageId, type = 'chat:message:delta') {
      return frames.reduce((text, frame) => {
        if (frame.message_id !== messageId || frame.data?.type !== type) return text
        if (frame.data.data['offset'] !== text.length)
          throw new Error(
            `A delta starts at ${String(frame.data.data['offset'])} instead of ${text.length}`,
          )
        return text + String(frame.data.data['content'])
      }, '')
    },
    answerCalls(answer) {
      webSocket.on('message', (data) => {
        const frame = JSON.parse((data as Buffer).toString()) as {
          type: string
          call_id: string
          data: unknown
        }
        if (frame.type !== 'call') return
        webSocket.send(
          JSON.stringify({
            type: 'call:result',
            call_id: frame.call_id,
            result: answer(frame.data),
          }),
        )
      })
    },
    close: () => webSocket.terminate(),
  }
}
