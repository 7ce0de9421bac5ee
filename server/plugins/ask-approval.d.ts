import type { CallOrigin } from '../lib/call-origin.ts'
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
/** Asks the person behind an answer whether a call of plugin code may run. No window and no clear answer are a no. */
export declare function askApproval(origin: Pick<CallOrigin, 'ask'>, { id, name, arguments: args }: AskedCall): Promise<ToolApproval>
