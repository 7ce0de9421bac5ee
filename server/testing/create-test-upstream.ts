import { Upstream, type UpstreamOptions } from '../providers/upstream/upstream.ts'

/** Creates an upstream with the usual limits, for providers in tests. */
export function createTestUpstream(url: string, options: Partial<UpstreamOptions> = {}): Upstream {
  return new Upstream({
    name: 'Test',
    url,
    headers: {},
    secrets: [],
    connectMilliseconds: 5000,
    firstByteMilliseconds: 60_000,
    idleMilliseconds: 120_000,
    requireAllowed: () => {},
    ...options,
  })
}
