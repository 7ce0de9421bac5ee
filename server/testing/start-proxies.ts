import { startFakeCompatible, type FakeCompatibleOptions } from './fake-upstream/fake-compatible.ts'
import { startFakeRuntime, type FakeRuntimeOptions } from './fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from './fake-upstream/fake-server.ts'
import { startTestServer, type TestServer } from './start-server.ts'

export interface ProxiesOptions {
  /** Options of each runtime. */
  readonly runtimes?: readonly FakeRuntimeOptions[]
  readonly compatible?: FakeCompatibleOptions
  readonly environment?: Readonly<Record<string, string>>
}

/** A gateway connected to scripted runtimes and a scripted provider. */
export interface Proxies {
  readonly server: TestServer
  readonly runtimes: readonly FakeUpstream[]
  readonly compatible: FakeUpstream
  /** Session token of the administrator. */
  readonly admin: string
  /** An API key of the administrator. */
  readonly key: string
  addUser(name: string): Promise<string>
  get<Body>(path: string, token?: string): Promise<{ status: number; body: Body }>
  post<Body>(path: string, body: unknown, token?: string): Promise<{ status: number; body: Body }>
  close(): Promise<void>
}

/** Key of the scripted provider. */
export const PROVIDER_KEY = 'sk-provider-0123456789'

export async function startProxies(options: ProxiesOptions = {}): Promise<Proxies> {
  const runtimes = await Promise.all(
    (options.runtimes ?? [{}]).map((each) => startFakeRuntime(each)),
  )
  const compatible = await startFakeCompatible({
    models: ['cloud'],
    key: PROVIDER_KEY,
    ...options.compatible,
  })
  const environment = {
    LLMHOST_BASE_URLS: runtimes.map(({ url }) => url).join(';'),
    OPENAI_API_BASE_URLS: compatible.url,
    OPENAI_API_KEYS: PROVIDER_KEY,
    ENABLE_API_KEYS: 'true',
    ...options.environment,
  }
  const server = await startTestServer({ environment })
  const admin = await server.signUp('Ada')
  await server.call('GET', '/api/models?refresh=true', { token: admin })
  const issued = await server.call('POST', '/api/v1/auths/api_key', { token: admin })
  const { api_key: key } = (await issued.json()) as { api_key: string }

  async function call<Body>(method: string, path: string, token: string, body?: unknown) {
    const response = await server.call(method, path, { token, ...(body !== undefined && { body }) })
    return { status: response.status, body: (await response.json()) as Body }
  }

  return {
    server,
    runtimes,
    compatible,
    admin,
    key,
    async addUser(name) {
      const account = {
        name,
        email: `${name.toLowerCase()}@example.com`,
        password: 'correct horse battery',
        role: 'user',
      }
      const response = await server.call('POST', '/api/v1/auths/add', {
        token: admin,
        body: account,
      })
      return ((await response.json()) as { token: string }).token
    },
    get: (path, token = admin) => call('GET', path, token),
    post: (path, body, token = admin) => call('POST', path, token, body),
    async close() {
      await server.close()
      await Promise.all([...runtimes, compatible].map((upstream) => upstream.close()))
    },
  }
}
