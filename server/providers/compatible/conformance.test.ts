import { createTestUpstream } from '../../testing/create-test-upstream.ts'
import { startFakeCompatible } from '../../testing/fake-upstream/fake-compatible.ts'
import { describeProviderConformance } from '../../testing/provider-conformance.ts'
import { createCompatibleProvider } from './index.ts'

describeProviderConformance('The provider of remote chat completions', async (options) => {
  const upstream = await startFakeCompatible(options)
  const outgoing = createTestUpstream(upstream.url, {
    headers: { authorization: 'Bearer sk-canary-key' },
    secrets: ['sk-canary-key'],
  })
  const provider = createCompatibleProvider({
    connectionId: 'test',
    name: 'Test',
    type: 'external',
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
