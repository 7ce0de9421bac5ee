import type { CallPlace } from '../calls/call-place.ts'
import type { OpenServer } from '../servers/open-server.ts'
import { fromSession } from '../servers/try-server.ts'
import type { ConnectMcp } from './connect.ts'
import { LostSession, type McpSession } from './session.ts'

/** A session with its tools, after the checks of access and approval. */
export interface Entered {
  readonly session: McpSession
  readonly functions: OpenServer['functions']
}

/** Retries once if the session turns out to be lost, because nothing was executed with it. */
async function again<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LostSession)) throw error
    return work()
  }
}

/**
 * Opens a server whose lost session is replaced by a new one; the call that detected it is
 * repeated.
 */
export async function openRenewed(
  connectMcp: ConnectMcp,
  enter: (place: CallPlace, signal: AbortSignal) => Promise<Entered>,
  first: { readonly place: CallPlace; readonly signal: AbortSignal },
): Promise<OpenServer> {
  let entered = await again(() => enter(first.place, first.signal))
  return {
    functions: entered.functions,
    async call(name, given, call) {
      const ask = () =>
        fromSession(entered.session, entered.functions, connectMcp).call(name, given, call)
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof LostSession)) throw error
        entered = await again(() => enter(call.place, call.signal))
        return ask()
      }
    },
  }
}
