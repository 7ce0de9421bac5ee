import type { Model } from '#contract/models.ts'
import { startFakeCompatible } from './fake-upstream/fake-compatible.ts'
import { startFakeRuntime } from './fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from './fake-upstream/fake-server.ts'
import { startTestServer, type TestServer } from './start-server.ts'

type Name = 'admin' | 'owner' | 'member' | 'stranger'

export interface ModelReply {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
  readonly body: any
}

/**
 * A gateway with the models `llama:8b` (local), `cloud-1` and `cloud-2`, and users who may create
 * and share models.
 */
export interface ModelGateway {
  readonly server: TestServer
  readonly ids: Readonly<Record<Name, string>>
  /** Group of the owner and the member. */
  readonly groupId: string
  readonly runtime: FakeUpstream
  readonly remote: FakeUpstream
  get(name: Name, path: string): Promise<ModelReply>
  post(name: Name, path: string, body?: unknown): Promise<ModelReply>
  remove(name: Name, path: string): Promise<ModelReply>
  /** Ids of the models a user may use. */
  idsFor(name: Name): Promise<string[]>
  /** Result of a completion with a model for a user. */
  ask(name: Name, model: string): Promise<ModelReply>
  close(): Promise<void>
}

export async function startModelGateway(
  environment: Record<string, string> = {},
): Promise<ModelGateway> {
  const runtime = await startFakeRuntime({ models: ['llama:8b'] })
  const remote = await startFakeCompatible({
    models: ['cloud-1', 'cloud-2'],
    script: async () => ({ steps: [{ kind: 'content', text: 'Hello' }] }),
  })
  const addresses = { LLMHOST_BASE_URL: runtime.url, OPENAI_API_BASE_URL: remote.url }
  const server = await startTestServer({ environment: { ...addresses, ...environment } })
  const { users, groups } = server.context
  const admin = await server.signUp('Admin')
  const tokens: Record<Name, string> = { admin, owner: '', member: '', stranger: '' }
  const ids: Record<Name, string> = {
    admin: (await users.first())!.id,
    owner: '',
    member: '',
    stranger: '',
  }
  const passwordHash = await users.hashPassword('a long password')
  for (const name of ['owner', 'member', 'stranger'] as const) {
    const email = `${name}@example.com`
    ids[name] = (await users.create({ name, email, role: 'user', passwordHash })).id
    const reply = await server.call('POST', '/api/v1/auths/signin', {
      body: { email, password: 'a long password' },
    })
    tokens[name] = ((await reply.json()) as { token: string }).token
  }
  const permissions = { workspace: { models: true, models_import: true, models_export: true } }
  const group = await groups.create(ids.admin, {
    name: 'Authors',
    description: '',
    permissions,
    data: {},
    meta: {},
  })
  await groups.changeMembers(group.id, { add: [ids.owner, ids.member] })

  async function call(
    method: string,
    name: Name,
    path: string,
    body?: unknown,
  ): Promise<ModelReply> {
    const reply = await server.call(method, path, { token: tokens[name], body })
    return { status: reply.status, body: await reply.json() }
  }
  const get: ModelGateway['get'] = (name, path) => call('GET', name, path)
  const post: ModelGateway['post'] = (name, path, body) => call('POST', name, path, body)
  return {
    server,
    ids,
    groupId: group.id,
    runtime,
    remote,
    get,
    post,
    remove: (name, path) => call('DELETE', name, path),
    idsFor: async (name) =>
      ((await get(name, '/api/models')).body as { data: Model[] }).data.map(({ id }) => id),
    ask: (name, model) =>
      post(name, '/api/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] }),
    async close() {
      await server.close()
      await runtime.close()
      await remote.close()
    },
  }
}
