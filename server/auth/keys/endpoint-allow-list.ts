import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { GatewaySettings, Settings } from '../../settings/index.ts'

const isParameter = (segment: string): boolean => /^(:.+|\{.+\}|<.+>)$/.test(segment)
const toSegments = (path: string): string[] =>
  path
    .trim()
    .split('/')
    .filter((segment) => segment !== '')

/** Ignores repeated and trailing slashes, duplicates and empty entries. */
const parseEntries = (list: readonly string[]): string[][] =>
  list.map(toSegments).filter((segments) => segments.length > 0)

/** Returns true if the entry equals the path or a prefix of whole segments. */
function covers(entry: readonly string[], path: readonly string[]): boolean {
  return entry.every((segment, index) => {
    const other = path[index]
    return (
      other !== undefined && (segment === other || (isParameter(segment) && isParameter(other)))
    )
  })
}

/** Returns true if a list of entries allows an endpoint, by any of its paths. */
export function isAmong(
  list: readonly string[],
  endpoint: Pick<AnyEndpoint, 'path' | 'aliases'>,
): boolean {
  const entries = parseEntries(list)
  const paths = [endpoint.path, ...(endpoint.aliases ?? [])].map(toSegments)
  return paths.some((path) => entries.some((entry) => covers(entry, path)))
}

/**
 * Decides whether API keys may use a path. Compares the path of the matched endpoint, never the URL
 * of the request, so that no spelling of a URL can give more access. If enabled with an empty list,
 * nothing is allowed.
 */
export class KeyAllowList {
  readonly #settings: Settings<
    'API_KEYS_ALLOWED_ENDPOINTS' | 'ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS'
  > &
    Pick<GatewaySettings, 'onChange'>
  #entries: string[][]

  constructor(
    settings: Settings<'API_KEYS_ALLOWED_ENDPOINTS' | 'ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS'> &
      Pick<GatewaySettings, 'onChange'>,
  ) {
    this.#settings = settings
    this.#entries = parseEntries(settings.get('API_KEYS_ALLOWED_ENDPOINTS'))
    settings.onChange(async (keys) => {
      if (keys.includes('API_KEYS_ALLOWED_ENDPOINTS'))
        this.#entries = parseEntries(settings.get('API_KEYS_ALLOWED_ENDPOINTS'))
    })
  }

  allowsPath(path: string): boolean {
    return this.#isOff() || this.#isListed(path)
  }

  allowsEndpoint({ path, aliases = [] }: AnyEndpoint): boolean {
    return this.#isOff() || [path, ...aliases].some((each) => this.#isListed(each))
  }

  #isOff(): boolean {
    return !this.#settings.get('ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS')
  }

  #isListed(path: string): boolean {
    const segments = toSegments(path)
    return this.#entries.some((entry) => covers(entry, segments))
  }
}
