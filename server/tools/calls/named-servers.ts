import type { ServerRecord } from '../servers/server-record.ts'
import type { OpenServer } from '../servers/open-server.ts'

/** Server that a request names, and the functions it wants of it; null stands for all. */
export interface NamedServer {
  readonly record: ServerRecord
  readonly functions: readonly string[] | null
}

/** Returns the functions in the suffix of an id such as `server:weather|forecast,history`. */
export function readNamedFunctions(toolId: string): readonly string[] | null {
  const [, suffix = ''] = toolId.split('|', 2)
  const names = suffix.split(',').flatMap((name) => name.trim() || [])
  return names.length === 0 ? null : names
}

/** Joins the entries of a server that was named several times, so that it is opened once. */
export function joinNamed(named: readonly NamedServer[]): NamedServer[] {
  const joined = new Map<string, NamedServer>()
  for (const { record, functions } of named) {
    const before = joined.get(record.id)
    const wanted = before ? joinFunctions(before.functions, functions) : functions
    joined.set(record.id, { record, functions: wanted })
  }
  return [...joined.values()]
}

const joinFunctions = (
  before: readonly string[] | null,
  more: readonly string[] | null,
): readonly string[] | null => (before === null || more === null ? null : [...before, ...more])

/** Returns a server without the functions that were not named, by their own or prefixed name. */
export function onlyNamed(
  server: OpenServer,
  { id }: ServerRecord,
  names: readonly string[] | null,
): OpenServer {
  if (names === null) return server
  const functions = server.functions.filter(
    ({ name }) => names.includes(name) || names.includes(`${id}_${name}`),
  )
  return { ...server, functions }
}
