import type { CallOrigin } from '../lib/call-origin.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Approval, ToolCall } from './tool-belt.ts'

/**
 * Asks the user of an answer whether a call may run. A missing window, no reply and an unrecognized
 * reply count as a denial.
 */
export async function askApproval(
  origin: Pick<CallOrigin, 'ask'>,
  { id, name, arguments: args }: ToolCall,
  signal: AbortSignal,
): Promise<Approval> {
  const answer = await origin
    .ask({ type: 'tool:approval', data: { call_id: id, name, arguments: args } }, signal)
    .catch(() => null)
  const { decision, scope } = isRecord(answer) ? answer : {}
  return {
    decision: decision === 'allow' ? 'allow' : 'deny',
    scope: scope === 'chat' || scope === 'always' ? scope : 'once',
  }
}
