import { badRequest } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'

/** Maximum number of YAML aliases, so that a small text cannot become a huge document. */
const MOST_ALIASES = 100

async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml')
  return parse(text, {
    maxAliasCount: MOST_ALIASES,
    prettyErrors: false,
    logLevel: 'silent',
  }) as unknown
}

/**
 * Parses an OpenAPI description written in JSON or YAML; throws 400 with the reason if it is
 * invalid.
 */
export async function parseDocument(text: string): Promise<Record<string, unknown>> {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    try {
      document = await parseYaml(text)
    } catch (cause) {
      const reason = cause instanceof Error ? ` ${cause.message}` : ''
      throw badRequest(`The description of the tool server is neither JSON nor YAML.${reason}`, {
        cause,
      })
    }
  }
  if (!isRecord(document) || !isRecord(document['paths'])) {
    throw badRequest(
      'The description of the tool server has no "paths", so it is no OpenAPI document. Check its address.',
    )
  }
  return document
}
