import { isRecord, readOperations } from '../../../api/openapi.ts'
import { translate } from '../../../lib/i18n.ts'
import type { OwnServer } from './own-server.ts'
import { failureOf, readBytes } from './read-reply.ts'
import type { Reach } from './reach.ts'
import { resolveReferences } from './resolve-references.ts'

/** Operations a server offers. */
export type Description = ReturnType<typeof readOperations>

/** The server needs a key or a sign-in, or another one. */
export class RefusedRequest extends Error {}

const WAIT_MILLISECONDS = 10_000
const LARGEST = 4 * 1024 * 1024
const MOST_ALIASES = 100

export const authorization = (key: string): Record<string, string> =>
  key === '' ? {} : { authorization: `Bearer ${key}` }

function addressOf({ url, path }: OwnServer): string {
  return /^https?:\/\//i.test(path) ? path : `${url}/${path.replace(/^\/+/, '')}`
}

async function parse(text: string): Promise<unknown> {
  try {
    return JSON.parse(text) as unknown
  } catch {
    const yaml = await import('yaml')
    return yaml.parse(text, {
      maxAliasCount: MOST_ALIASES,
      prettyErrors: false,
      logLevel: 'silent',
    }) as unknown
  }
}

/**
 * Fetches and parses the OpenAPI description of a server; throws an error that states the remedy.
 */
export async function readDescription(
  reach: Reach,
  server: OwnServer,
  key: string,
): Promise<Description> {
  const address = addressOf(server)
  const isOwn = URL.parse(address)?.origin === URL.parse(server.url)?.origin
  const headers = {
    accept: 'application/json, application/yaml;q=0.9, */*;q=0.5',
    ...(isOwn && authorization(key)),
  }
  let text: string
  const signal = AbortSignal.timeout(WAIT_MILLISECONDS)
  try {
    const response = await reach.fetch(address, { headers, signal })
    if (response.status !== 200) {
      const { status } = response
      const text = translate('toolServers.own.status', { status, address })
      throw status === 401 || status === 403 ? new RefusedRequest(text) : new Error(text)
    }
    text = new TextDecoder().decode(await readBytes(response, LARGEST))
  } catch (thrown) {
    throw failureOf(thrown, signal, address)
  }
  const document = await parse(text).catch(() => null)
  if (!isRecord(document) || !isRecord(document['paths']))
    throw new Error(translate('toolServers.own.noDescription', { address }))
  return readOperations(resolveReferences(document))
}
