import type { ConnectionCheck } from '#contract/connections.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** Options common to all providers of connections. */
export interface ProviderOptions {
  readonly connectionId: string
  readonly name: string
  readonly type: 'local' | 'external'
  readonly upstream: Upstream
}

/** Runs a check and measures its duration; a failure becomes its error message. */
export async function measureCheck(
  run: () => Promise<Omit<ConnectionCheck, 'milliseconds'>>,
): Promise<ConnectionCheck> {
  const start = performance.now()
  const result = await run().catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error
    return { ok: false, detail: error.message, version: null, models: [] }
  })
  return { ...result, milliseconds: Math.round(performance.now() - start) }
}
