import type { ToolItem } from '#contract/tools.ts'
import type { BuiltInTool } from './contract.ts'
import type { Fields } from '../../lib/is-record.ts'

/** Returns a built-in tool as shown in the list of tools. */
export function toItem({ id, name, description }: BuiltInTool): ToolItem {
  const access = { access_grants: [], access_control: null }
  const about = {
    id,
    user_id: '',
    name,
    meta: { description, manifest: {} },
    fault: null,
    missing_package: null,
    user: null,
  }
  return {
    ...about,
    has_user_valves: false,
    write_access: false,
    created_at: 0,
    updated_at: 0,
    ...access,
  }
}

/** Returns a text argument; models sometimes send other types. */
export function textOf(args: Fields, name: string): string {
  const value = args[name]
  if (typeof value === 'string' && value.trim() !== '') return value
  if (typeof value === 'number') return String(value)
  throw new Error(`The argument "${name}" is missing.`)
}

/** Returns a number within limits, or the fallback. */
export function numberOf(
  args: Fields,
  name: string,
  { least, most, fallback }: { least: number; most: number; fallback: number },
): number {
  const value = Number(args[name] ?? fallback)
  return Number.isFinite(value) ? Math.min(most, Math.max(least, Math.trunc(value))) : fallback
}
