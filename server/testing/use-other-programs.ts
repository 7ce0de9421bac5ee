import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Chat } from '#contract/chats.ts'
import type { FoundProgram, Import, ImportResult, UndoneImport } from '#contract/imports.ts'
import { startTestServer, type TestServer } from './start-server.ts'

interface MessageNode {
  readonly role: string
  readonly content: string
  readonly parentId: string | null
  readonly childrenIds: string[]
}

interface CallOptions {
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

export const messagesOf = (chat: Chat): Record<string, MessageNode> =>
  (chat.chat as { history: { messages: Record<string, MessageNode> } }).history.messages

/**
 * Starts a gateway for tests with other vendors' programs in the user's home folder, which is empty
 * at the start of every test.
 */
export function useOtherPrograms() {
  let home: string
  let server: TestServer
  let admin: string
  let member: string

  async function call<Body>(
    method: string,
    target: string,
    { body, token = admin, headers = {} }: CallOptions = {},
  ): Promise<{ status: number; body: Body & { detail: string } }> {
    const reply = await fetch(`${server.url}/api/v1${target}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: (await reply.json()) as Body & { detail: string } }
  }
  const search = async (): Promise<FoundProgram[]> =>
    (await call<FoundProgram[]>('POST', '/chats/imports/programs')).body

  beforeAll(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'chat-gateway-home-'))
    server = await startTestServer({ environment: { HOME: home, DEFAULT_USER_ROLE: 'user' } })
    admin = await server.signUp('Root')
    await server.context.settings.update({ ENABLE_SIGNUP: true })
    member = await server.signUp('Member')
  })
  afterAll(async () => {
    await server.close()
    rmSync(home, { recursive: true, force: true })
  })
  beforeEach(() => void mkdirSync(home, { recursive: true }))
  afterEach(async () => {
    rmSync(home, { recursive: true, force: true })
    await call('DELETE', '/chats/')
    for (const { id } of (await call<{ id: string }[]>('GET', '/folders/')).body)
      await call('DELETE', `/folders/${id}`)
    for (const { id } of (await call<{ id: string }[]>('GET', '/prompts/')).body)
      await call('DELETE', `/prompts/id/${id}/delete`)
    await call('DELETE', '/files/all')
  })
  return {
    server: () => server,
    member: () => member,
    home: (...parts: string[]) => path.join(home, ...parts),
    call,
    search,
    open: async (source: string): Promise<Import & { detail: string }> => {
      const found = (await search()).find((program) => program.source === source)!
      return (await call<Import>('POST', `/chats/imports/programs/${found.id}`)).body
    },
    run: async (id: string, body: object = { all: true }): Promise<ImportResult> =>
      (await call<ImportResult>('POST', `/chats/imports/${id}/run`, { body })).body,
    undo: (id: string) => call<UndoneImport>('POST', `/chats/imports/${id}/undo`),
    chats: async (): Promise<Chat[]> => (await call<Chat[]>('GET', '/chats/all')).body,
    write: (file: string, content: unknown): string => {
      const target = path.join(home, file)
      mkdirSync(path.dirname(target), { recursive: true })
      writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content))
      return target
    },
  }
}
