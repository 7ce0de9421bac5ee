import type { ConnectionCheck } from '#contract/connections.ts'
import type { ConnectionRecord } from './connection-record.ts'
import { connectProvider, type ConnectionPolicy } from './live-connection.ts'

/** Tests a connection that need not be saved, and closes it again. */
export async function verifyConnection(
  record: ConnectionRecord,
  policy: ConnectionPolicy,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  const { provider, upstream } = connectProvider(record, policy)
  try {
    return await provider.check(signal)
  } finally {
    await upstream.close()
  }
}
