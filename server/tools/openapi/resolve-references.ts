import { badRequest, ServiceError } from '../../lib/errors.ts'

/**
 * Fetches a referenced document; the only outgoing access, so that the owner of the function
 * decides which URLs are allowed.
 */
export type FetchDocument = (url: string) => Promise<string>

const DEEPEST = 64
const MOST_NODES = 200_000

/** A circular reference cannot be described to a model: from there on any value is allowed. */
function cut(value: unknown, above: readonly unknown[], count: { nodes: number }): unknown {
  count.nodes += 1
  if (count.nodes > MOST_NODES) throw badRequest('The description of the tool server is too large.')
  if (typeof value !== 'object' || value === null) return value
  if (above.length > DEEPEST || above.includes(value)) return {}
  if ('$ref' in value && typeof value.$ref === 'string') {
    throw badRequest(
      `The description of the tool server refers to ${value.$ref}, which may not be read. Put all of it into one document.`,
    )
  }
  const path = [...above, value]
  if (Array.isArray(value)) return value.map((entry) => cut(entry, path, count))
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, cut(entry, path, count)]),
  )
}

/** Replaces references by their targets; cuts circular ones. Throws 400 if a target is missing. */
export async function resolveReferences(
  document: Record<string, unknown>,
  fetchDocument: FetchDocument | null,
): Promise<Record<string, unknown>> {
  const { $RefParser } = await import('@apidevtools/json-schema-ref-parser')
  try {
    const resolved: unknown = await $RefParser.dereference(structuredClone(document), {
      resolve: {
        external: fetchDocument !== null,
        file: false,
        http: fetchDocument
          ? {
              order: 1,
              canRead: true,
              safeUrlResolver: false,
              read: ({ url }: { url: string }) => fetchDocument(url),
            }
          : false,
      },
      dereference: { circular: true },
    })
    return cut(resolved, [], { nodes: 0 }) as Record<string, unknown>
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    const reason = cause instanceof Error ? ` ${cause.message}` : ''
    throw badRequest(
      `A reference in the description of the tool server cannot be followed.${reason}`,
      { cause },
    )
  }
}
