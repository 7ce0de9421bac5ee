import type { ToolItem } from '#contract/tools.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import type { Caller } from '../../lib/http.ts'

type Fields = Readonly<Record<string, unknown>>

/** A function of a built-in tool. Whatever it throws is told to the model. */
export interface BuiltInFunction {
  readonly name: string
  readonly description: string
  /** JSON schemas of the arguments; all are texts or numbers. */
  readonly properties: Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description: string }>>
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
export function toItem({ id, name, description }: BuiltInTool): ToolItem {
  const access = { access_grants: [], access_control: null }
  const about = { id, user_id: '', name, meta: { description, manifest: {} }, fault: null, user: null }
  return { ...about, has_user_valves: false, write_access: false, created_at: 0, updated_at: 0, ...access }
}

/** A text argument; models send other things at times. */
export function textOf(args: Fields, name: string): string {
  const value = args[name]
  if (typeof value === 'string' && value.trim() !== '') return value
  if (typeof value === 'number') return String(value)
  throw new Error(`The argument "${name}" is missing.`)
}

/** A number between bounds, or the fallback. */
export function numberOf(args: Fields, name: string, { least, most, fallback }: { least: number; most: number; fallback: number }): number {
  const value = Number(args[name] ?? fallback)
  return Number.isFinite(value) ? Math.min(most, Math.max(least, Math.trunc(value))) : fallback
}
