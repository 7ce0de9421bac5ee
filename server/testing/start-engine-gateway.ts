import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startTestServer, type TestServer } from './start-server.ts'
import { createTinyModel, type TinyModelOptions } from './write-tiny-model.ts'

const PASSWORD = 'a long password'

/** A gateway with the bundled engine, and models with random weights in its folder. */
export interface EngineGateway {
  readonly server: TestServer
  /** Session token of the administrator. */
  readonly admin: string
  readonly folder: string
  addModel(name: string, options?: TinyModelOptions): void
  post(path: string, body: unknown, token?: string): Promise<Response>
  /** Adds a member; resolves with its session token. */
  addMember(name: string): Promise<string>
  close(): Promise<void>
}

export async function startEngineGateway(
  environment: Record<string, string> = {},
): Promise<EngineGateway> {
  const server = await startTestServer({
    environment: { ENABLE_BUILT_IN_RUNTIME: 'true', ...environment },
  })
  const folder = path.join(server.dataDir, 'models')
  mkdirSync(folder, { recursive: true })
  const admin = await server.signUp('Admin')
  return {
    server,
    admin,
    folder,
    addModel: (name, options) =>
      writeFileSync(path.join(folder, `${name}.gguf`), createTinyModel(options)),
    post: (target, body, token = admin) => server.call('POST', target, { body, token }),
    async addMember(name) {
      const { users } = server.context
      const email = `${name.toLowerCase()}@example.com`
      const passwordHash = await users.hashPassword(PASSWORD)
      await users.create({ name, email, role: 'user', passwordHash })
      const reply = await server.call('POST', '/api/v1/auths/signin', {
        body: { email, password: PASSWORD },
      })
      return ((await reply.json()) as { token: string }).token
    },
    close: () => server.close(),
  }
}
