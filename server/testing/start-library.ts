import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { readReply, type Reply } from './read-reply.ts'
import { startTestServer } from './start-server.ts'

type CallOptions = { body?: unknown; method?: string }

/**
 * Starts the whole gateway with an administrator and two users who may create collections, until
 * the end of the test.
 */
export async function startLibrary(environment: Readonly<Record<string, string>> = {}) {
  const server = await startTestServer({
    environment: { DEFAULT_USER_ROLE: 'user', LOG_LEVEL: 'silent', ...environment },
  })
  onTestFinished(() => server.close())
  const { settings } = server.context
  const root = await server.signUp('Root')
  await settings.update({
    ENABLE_SIGNUP: true,
    USER_PERMISSIONS: JSON.stringify({ workspace: { knowledge: true, models: true } }),
  })
  const tokens = {
    admin: root,
    owner: await server.signUp('Owner'),
    other: await server.signUp('Other'),
  }
  type Name = keyof typeof tokens

  async function call(
    name: Name,
    path: string,
    { body, method = body === undefined ? 'GET' : 'POST' }: CallOptions = {},
  ): Promise<Reply> {
    return readReply(await server.call(method, `/api/v1/${path}`, { token: tokens[name], body }))
  }
  const idOf = async (name: Name): Promise<string> => (await call(name, 'auths/')).body.id
  const ids = { admin: await idOf('admin'), owner: await idOf('owner'), other: await idOf('other') }

  return {
    server,
    ids,
    tokens,
    call,
    /** Stores a text as a file and waits until it is searchable. */
    async upload(name: Name, filename: string, text: string): Promise<string> {
      const content = { bytes: Buffer.from(text) }
      const file = await server.context.files.create(
        ids[name],
        { filename, contentType: null, content },
        { process: true, background: false },
      )
      if (file.status !== 'completed')
        throw new Error(`${filename} ended ${file.status}: ${file.error}`)
      return file.id
    },
    async createKnowledge(name: Name, title = 'Manuals', more: object = {}): Promise<string> {
      return (await call(name, 'knowledge/create', { body: { name: title, ...more } })).body.id
    },
  }
}

/** Starts a website on this computer until the end of the test. */
export async function startSite(answer: RequestListener) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}`, requests }
}

type Library = Awaited<ReturnType<typeof startLibrary>>

/** Returns the names of the listed collections or files. */
export const nameList = (reply: { body: { items: { name?: string; filename?: string }[] } }) =>
  reply.body.items.map(({ name, filename }) => name ?? filename)

/** Creates a collection of the owner with one file. */
export async function withFile(library: Library, text = 'The pump is cleaned with warm water.') {
  const id = await library.createKnowledge('owner')
  const fileId = await library.upload('owner', 'pump.md', text)
  const added = await library.call('owner', `knowledge/${id}/file/add`, {
    body: { file_id: fileId },
  })
  expect(added.status, JSON.stringify(added.body)).toBe(200)
  return { id, fileId, added }
}
