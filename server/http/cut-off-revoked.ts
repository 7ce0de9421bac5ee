import type { IncomingMessage } from 'node:http'
import { GatewayResponse, type ServedCaller } from '../lib/serving/gateway-response.ts'
import type { OpenReplies } from './open-replies.ts'

/** Returns true while the credential of a running call is valid. */
export type IsCurrent = (served: ServedCaller, request: IncomingMessage) => Promise<boolean>

/** Other replies take no time, and may be that of the call that ended the credential. */
const mayTakeLong = ({ endpoint }: ServedCaller): boolean =>
  endpoint.reply === 'stream' && endpoint.auth !== 'none'

/**
 * Closes the connections of streams whose caller has lost the credential, which also cancels what
 * they wait for. `userId` is the user whose credentials changed; null if it may be any.
 */
export async function cutOffRevoked(
  replies: OpenReplies,
  userId: string | null,
  isCurrent: IsCurrent,
): Promise<void> {
  for (const response of replies.all()) {
    const served = response instanceof GatewayResponse ? response.served : null
    if (!served || !mayTakeLong(served)) continue
    if (userId !== null && served.caller.userId !== userId) continue
    if (!(await isCurrent(served, response.req))) response.destroy()
  }
}
