import { requestDetailSchema, type RequestDetail } from '../../server/contract/requests.ts'
import { startFakeCompatible } from '../../server/testing/fake-upstream/fake-compatible.ts'
import { startFakeMessages } from '../../server/testing/fake-upstream/fake-messages.ts'
import { startFakeRuntime } from '../../server/testing/fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from '../../server/testing/fake-upstream/fake-server.ts'
import { startTestServer } from '../../server/testing/start-server.ts'
import { createAgentScript, type ToolUse } from './agent-script.ts'

/**
 * Kinds of connections behind the gateway, each with one of its models; the newest one belongs to
 * the provider.
 */
export const TARGETS = {
  provider: 'scripted',
  runtime: 'local-scripted',
  messages: 'native-scripted',
  newest: 'gpt-6-sol',
} as const
export type TargetKind = keyof typeof TARGETS
type UpstreamKind = Exclude<TargetKind, 'newest'>

export const upstreamOf = (kind: TargetKind): UpstreamKind =>
  kind === 'newest' ? 'provider' : kind

/** A gateway whose three upstreams work through the same plan, and an API key. */
export interface AgentWorld {
  readonly url: string
  readonly key: string
  readonly upstreams: Readonly<Record<UpstreamKind, FakeUpstream>>
  /**
   * Returns the model calls that the gateway handled, the last one first, with the forwarded
   * requests.
   */
  calls(): Promise<RequestDetail[]>
  close(): Promise<void>
}

export async function startAgentWorld(plan: readonly ToolUse[]): Promise<AgentWorld> {
  const script = createAgentScript(plan)
  const upstreams = {
    provider: await startFakeCompatible({ models: [TARGETS.provider, TARGETS.newest], script }),
    runtime: await startFakeRuntime({ models: [`${TARGETS.runtime}:latest`], script }),
    messages: await startFakeMessages({ models: [TARGETS.messages], script }),
  }
  const server = await startTestServer({
    environment: {
      OPENAI_API_BASE_URLS: upstreams.provider.url,
      OPENAI_API_KEYS: 'sk-upstream-key-000000',
      LLMHOST_BASE_URLS: upstreams.runtime.url,
      ENABLE_API_KEYS: 'true',
      ENABLE_REQUEST_LOG_BODIES: 'true',
    },
  })
  const token = await server.signUp('Ada')
  const native = {
    kind: 'messages',
    name: 'Native',
    url: upstreams.messages.url,
    key: 'native-key-000',
  }
  await server.call('POST', '/api/v1/connections', { token, body: native })
  await server.call('GET', '/api/models?refresh=true', { token })
  const issued = await server.call('POST', '/api/v1/auths/api_key', { token })
  const { api_key: key } = (await issued.json()) as { api_key: string }

  async function read<Body>(path: string): Promise<Body> {
    return (await (await server.call('GET', path, { token })).json()) as Body
  }
  return {
    url: server.url,
    key,
    upstreams,
    async calls() {
      const { items } = await read<{ items: { id: string; model: string | null }[] }>(
        '/api/v1/requests?limit=200',
      )
      const asked = items.filter(({ model }) => model !== null)
      return Promise.all(
        asked.map(async ({ id }) =>
          requestDetailSchema.parse(await read(`/api/v1/requests/${id}`)),
        ),
      )
    },
    async close() {
      await server.close()
      for (const upstream of Object.values(upstreams)) await upstream.close()
    },
  }
}
