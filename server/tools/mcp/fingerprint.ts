import { createHash } from 'node:crypto'
import type { McpTool } from './session.ts'

/** Where a server is reached or started, as far as it decides what its tools do. */
export type ServerPlace = { readonly url: string } | { readonly command: string; readonly arguments: readonly string[] }

/** The same value in the same text, whatever the order of its fields. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([key, entry]) => [key, canonical(entry)])
}

/**
 * What an administrator approved: the place of a server and every tool with its description and arguments. Another
 * fingerprint later means that the server changed after it was approved (security row 107).
 */
export function toFingerprint(place: ServerPlace, tools: readonly McpTool[]): string {
  const sorted = tools.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify(canonical([place, sorted])))
    .digest('hex')
}
