import { createHash } from 'node:crypto'
import type { ServerFunction } from './open-server.ts'

export type ToolHashes = Readonly<Record<string, string>>

/** Returns a canonical form: equal values give the same text, regardless of the order of fields. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([key, entry]) => [key, canonical(entry)])
}

export const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(value)))
    .digest('hex')

/**
 * Returns the hash of each tool's description and arguments, as it is approved (security row 107).
 */
export const toHashes = (functions: readonly ServerFunction[]): ToolHashes =>
  Object.fromEntries(
    functions.map(({ name, description, parameters }) => [name, hashOf([description, parameters])]),
  )

/**
 * Returns the names of tools that are new or differ from the approved ones. Missing tools do no
 * harm.
 */
export const changedTools = (approved: ToolHashes, now: ToolHashes): string[] =>
  Object.entries(now).flatMap(([name, hash]) =>
    Object.hasOwn(approved, name) && approved[name] === hash ? [] : [name],
  )
