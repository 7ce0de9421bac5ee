import { startFakeCompatible } from '../../server/testing/fake-upstream/fake-compatible.ts'
import { startFakeRuntime } from '../../server/testing/fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from '../../server/testing/fake-upstream/fake-server.ts'
import { playScenario, SCENARIO_NAMES } from '../../server/testing/fake-upstream/scenarios.ts'
import { startTestServer } from '../../server/testing/start-server.ts'

/**
 * A gateway with a scripted remote provider and a scripted local runtime behind it, and an API key.
 */
export interface World {
  readonly url: string
  readonly key: string
  /** Returns the upstream that serves a model. */
  upstreamOf(model: string): FakeUpstream
  close(): Promise<void>
}

/** Prefix of the local runtime's models, since both upstreams play the same scenarios. */
const LOCAL = 'local-'

export async function startWorld(): Promise<World> {
  const remote = await startFakeCompatible({ models: [...SCENARIO_NAMES, 'embed'] })
  const local = await startFakeRuntime({
    models: SCENARIO_NAMES.map((name) => LOCAL + name),
    embeddingModels: [`${LOCAL}embed`],
    script: (input) => playScenario({ ...input, model: input.model.replace(LOCAL, '') }),
  })
  const server = await startTestServer({
    environment: {
      OPENAI_API_BASE_URLS: remote.url,
      OPENAI_API_KEYS: 'sk-upstream-key-000000',
      LLMHOST_BASE_URLS: local.url,
      ENABLE_API_KEYS: 'true',
    },
  })
  const token = await server.signUp('Ada')
  const answer = await server.call('POST', '/api/v1/auths/api_key', { token })
  const { api_key: key } = (await answer.json()) as { api_key: string }
  return {
    url: server.url,
    key,
    upstreamOf: (model) => (model.startsWith(LOCAL) ? local : remote),
    async close() {
      await server.close()
      await remote.close()
      await local.close()
    },
  }
}
