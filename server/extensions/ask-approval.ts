import type { CallOrigin } from '../lib/call-origin.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Approval, ToolCall } from './tool-belt.ts'

/**
 * Asks the person behind an answer whether a call may run. No window, no answer and an answer that
 * is not understood are a no.
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
