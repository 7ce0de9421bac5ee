import type { CallOrigin } from '../../lib/call-origin.ts'
import { newId } from '../../lib/ids.ts'
import type { OpenServer } from '../open-server.ts'
import type { OwnServer } from './read-own-servers.ts'
import { toOutput } from './to-output.ts'

/**
 * A tool server only the window of the person reaches: each call travels to the session that asked
 * (`execute:tool`).
 *
 * @NOTE The gateway never contacts such a server itself, so that its network is nothing people can
 *   look into.
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
