import type { ToolItem } from '#contract/tools.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import type { Caller } from '../../lib/http.ts'
type Fields = Readonly<Record<string, unknown>>
/** A function of a built-in tool. Whatever it throws is told to the model. */
export interface BuiltInFunction {
  readonly name: string
  readonly description: string
  /** JSON schemas of the arguments; all are texts or numbers. */
  readonly properties: Readonly<
    Record<
      string,
      {
        readonly type: 'string' | 'integer'
        readonly description: string
      }
    >
  >
  readonly required: readonly string[]
  /** Reads and writes as the person the request comes from, whose rights are checked each time. */
  run(args: Fields, origin: CallOrigin, signal: AbortSignal): unknown
}
/** A tool the gateway brings along, which needs no Python. */
export interface BuiltInTool {
  /** Begins with `builtin:`. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly functions: readonly BuiltInFunction[]
  /** False hides it, where the feature is off or the person may not use it. */
  isOffered(caller: Caller): boolean
}
/** A built-in tool as the list of tools shows it. */
export declare function toItem({ id, name, description }: BuiltInTool): ToolItem
/** A text argument; models send other things at times. */
export declare function textOf(args: Fields, name: string): string
/** A number between bounds, or the fallback. */
export declare function numberOf(
  args: Fields,
  name: string,
  {
    least,
    most,
    fallback,
  }: {
    least: number
    most: number
    fallback: number
  },
): number
export {}
