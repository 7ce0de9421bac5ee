import { createTestUpstream } from '../../testing/create-test-upstream.ts'
import { startFakeMessages } from '../../testing/fake-upstream/fake-messages.ts'
import { describeProviderConformance } from '../../testing/provider-conformance.ts'
import { createMessagesProvider, messagesHeaders } from './index.ts'

describeProviderConformance('The provider of the messages API', async (options) => {
  const upstream = await startFakeMessages(options)
  const outgoing = createTestUpstream(upstream.url, {
    headers: messagesHeaders('sk-canary-key'),
    secrets: ['sk-canary-key'],
  })
  const provider = createMessagesProvider({
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
