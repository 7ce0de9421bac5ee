import type { CallOrigin } from '../lib/call-origin.ts'
import { isRecord } from '../lib/is-record.ts'

/** What a person said to a call of a tool; the pipeline's own type says the same. */
export interface ToolApproval {
  readonly decision: 'allow' | 'deny'
  readonly scope: 'once' | 'chat' | 'always'
}

export interface AskedCall {
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/**
 * Asks the person behind an answer whether a call of plugin code may run. No window and no clear
 * answer are a no.
 */
export async function askApproval(
  origin: Pick<CallOrigin, 'ask'>,
  { id, name, arguments: args }: AskedCall,
  signal: AbortSignal,
): Promise<ToolApproval> {
  const answer = await origin
    .ask({ type: 'tool:approval', data: { call_id: id, name, arguments: args } }, signal)
    .catch(() => null)
  const { decision, scope } = isRecord(answer) ? answer : {}
  return {
    decision: decision === 'allow' ? 'allow' : 'deny',
    scope: scope === 'chat' || scope === 'always' ? scope : 'once',
  }
}
