import type { ToolItem } from '#contract/tools.ts'
import type { BuiltInTool } from './contract.ts'

type Fields = Readonly<Record<string, unknown>>

/** A built-in tool as the list of tools shows it. */
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

/** A text argument; models send other things at times. */
export function textOf(args: Fields, name: string): string {
  const value = args[name]
  if (typeof value === 'string' && value.trim() !== '') return value
  if (typeof value === 'number') return String(value)
  throw new Error(`The argument "${name}" is missing.`)
}

/** A number between bounds, or the fallback. */
export function numberOf(
  args: Fields,
  name: string,
  { least, most, fallback }: { least: number; most: number; fallback: number },
): number {
  const value = Number(args[name] ?? fallback)
  return Number.isFinite(value) ? Math.min(most, Math.max(least, Math.trunc(value))) : fallback
}
