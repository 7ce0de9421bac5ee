import type { CallOrigin } from '../../lib/call-origin.ts'
import { newId } from '../../lib/ids.ts'
import type { OpenServer } from '../servers/open-server.ts'
import type { OwnServer } from './read-own-servers.ts'
import { toOutput } from './to-output.ts'

/**
 * A tool server only the user's window can reach: each call is sent to the requesting session
 * (`execute:tool`).
 *
 * @NOTE The gateway never contacts such a server itself, so that users cannot probe its network.
 */
export const openOwnServer = (
  { functions, reference }: OwnServer,
  { ask, sessionId }: Pick<CallOrigin, 'ask' | 'sessionId'>,
): OpenServer => ({
  functions,
  async call(name, params, { signal }) {
    const data = { id: newId(), name, params, server: reference, session_id: sessionId }
    return toOutput(await ask({ type: 'execute:tool', data }, signal))
  },
})
