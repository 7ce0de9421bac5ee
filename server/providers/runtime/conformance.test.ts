import { createTestUpstream } from '../../testing/create-test-upstream.ts'
import { startFakeRuntime } from '../../testing/fake-upstream/fake-runtime.ts'
import { describeProviderConformance } from '../../testing/provider-conformance.ts'
import { createRuntimeProvider } from './index.ts'

describeProviderConformance('The provider of the local runtime', async (options) => {
  const upstream = await startFakeRuntime(options)
  const outgoing = createTestUpstream(upstream.url)
  const provider = createRuntimeProvider({
    connectionId: 'test',
    name: 'Test',
    type: 'local',
    upstream: outgoing,
  })
  return {
    provider,
    upstream,
    async close() {
      await outgoing.close()
      await upstream.close()
    },
  }
})
