import { CONNECTION_KIND_NAMES, type ConnectionKind } from '#contract/connection-kinds.ts'
import { createTestUpstream } from '../testing/create-test-upstream.ts'
import { startFakeCompatible } from '../testing/fake-upstream/fake-compatible.ts'
import { startFakeMessages } from '../testing/fake-upstream/fake-messages.ts'
import { startFakeRuntime } from '../testing/fake-upstream/fake-runtime.ts'
import type { FakeUpstream } from '../testing/fake-upstream/fake-server.ts'
import type { Script } from '../testing/fake-upstream/script.ts'
import { describeProviderConformance, type OptionalPart } from '../testing/provider-conformance.ts'
import { PROVIDER_KINDS } from './kinds.ts'

interface Fake {
  readonly start: (options?: { script?: Script }) => Promise<FakeUpstream>
  /** Key the fake expects. */
  readonly key: string | null
  /** What models of the kind are never asked for. */
  readonly without?: readonly OptionalPart[]
}

/** The fake upstream of each kind of connection. */
const FAKES: Readonly<Record<ConnectionKind, Fake>> = {
  runtime: { start: startFakeRuntime, key: null },
  compatible: { start: startFakeCompatible, key: 'sk-canary-key' },
  messages: { start: startFakeMessages, key: 'sk-canary-key' },
}

for (const name of CONNECTION_KIND_NAMES) {
  const { create, headers } = PROVIDER_KINDS[name]
  const { start, key, without = [] } = FAKES[name]
  describeProviderConformance(
    `The provider of the kind ${name}`,
    async (options) => {
      const upstream = await start(options)
      const outgoing = createTestUpstream(upstream.url, {
        headers: headers(key),
        secrets: key === null ? [] : [key],
      })
      return {
        provider: create({
          connectionId: 'test',
          name: 'Test',
          type: 'external',
          upstream: outgoing,
        }),
        upstream,
        async close() {
          await outgoing.close()
          await upstream.close()
        },
      }
    },
    without,
  )
}
