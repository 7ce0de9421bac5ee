import { isRecord } from '../../../api/openapi.ts'
import { translate } from '../../../lib/i18n.ts'

const DEEPEST = 64
const MOST_NODES = 100_000

function lookUp(document: unknown, pointer: string): unknown {
  let value = document
  for (const part of pointer.slice(2).split('/')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if ((!isRecord(value) && !Array.isArray(value)) || !Object.hasOwn(value, name)) {
      throw new Error(translate('toolServers.own.reference', { reference: pointer }))
    }
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/**
 * Replaces each `$ref` within the document by its target; cycles are cut. Throws if one refers to
 * anything else.
 */
export function resolveReferences(document: Record<string, unknown>): Record<string, unknown> {
  let nodes = 0
  function resolve(value: unknown, above: readonly string[], depth: number): unknown {
    nodes += 1
    if (nodes > MOST_NODES) throw new Error(translate('toolServers.own.large'))
    if (typeof value !== 'object' || value === null) return value
    if (depth > DEEPEST) return {}
    if (Array.isArray(value)) return value.map((entry) => resolve(entry, above, depth + 1))
    const reference = (value as Record<string, unknown>)['$ref']
    if (typeof reference !== 'string') {
      return Object.fromEntries(
        Object.entries(value).map(([name, entry]) => [name, resolve(entry, above, depth + 1)]),
      )
    }
    if (!reference.startsWith('#/'))
      throw new Error(translate('toolServers.own.reference', { reference }))
    return above.includes(reference)
      ? {}
      : resolve(lookUp(document, reference), [...above, reference], depth + 1)
  }
  const { paths } = document
  return { ...document, paths: resolve(paths, [], 0) }
}
