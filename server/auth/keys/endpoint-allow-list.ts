import type { AnyEndpoint } from '#contract/endpoint.ts'
import type { GatewaySettings, Settings } from '../../settings/index.ts'

/** Values of the path parameters of a request, by name; those of a wildcard are its segments. */
export type PathValues = Readonly<Record<string, unknown>>

const isParameter = (segment: string): boolean => /^([:*].+|\{.+\}|<.+>)$/.test(segment)
const toSegments = (path: string): string[] =>
  path
    .trim()
    .split('/')
    .filter((segment) => segment !== '')

/** Ignores repeated and trailing slashes, duplicates and empty entries. */
const parseEntries = (list: readonly string[]): string[][] =>
  list.map(toSegments).filter((segments) => segments.length > 0)

/** Segment of the path of an endpoint; a parameter has a value if its request is known. */
interface Place {
  readonly isParameter: boolean
  readonly value: string | null
}

const toTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string')

/** Fills in the values of a request; those of a wildcard take a place for each of their segments. */
const toPlaces = (path: readonly string[], values: PathValues): Place[] =>
  path.flatMap((segment): Place[] => {
    if (!isParameter(segment)) return [{ isParameter: false, value: segment }]
    const texts = toTexts(values[segment.slice(1)]).flatMap((text) =>
      segment.startsWith('*') ? text.split('/') : [text],
    )
    return texts.length === 0
      ? [{ isParameter: true, value: null }]
      : texts.map((value) => ({ isParameter: true, value }))
  })

/** Resolves the escapes of a URL in an entry, which compares with decoded values. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** An id with an escaped slash is one segment of an entry, but several of a wildcard. */
const toIds = (segments: readonly string[]): string[] =>
  segments.flatMap((segment) => (/%2f/i.test(segment) ? decode(segment).split('/') : [segment]))

/**
 * Returns true if the entry equals the path or a prefix of whole segments; a parameter equals any
 * placeholder, and its own value.
 */
const covers = (entry: readonly string[], places: readonly Place[]): boolean =>
  toIds(entry).every((segment, index) => {
    const place = places[index]
    if (!place) return false
    return place.isParameter
      ? isParameter(segment) || (place.value !== null && decode(segment) === place.value)
      : segment === place.value
  })

/** Returns true if a list of entries allows a request to an endpoint, by any of its paths. */
export function isAmong(
  list: readonly string[],
  endpoint: Pick<AnyEndpoint, 'path' | 'aliases'>,
  values: PathValues = {},
): boolean {
  const entries = parseEntries(list)
  const paths = [endpoint.path, ...(endpoint.aliases ?? [])].map(toSegments)
  return paths.some((path) => {
    const places = toPlaces(path, values)
    return entries.some((entry) => covers(entry, places))
  })
}

/**
 * Decides whether API keys may use a path. Compares the path of the matched endpoint and the values
 * its handler receives, never the URL of the request, so that no spelling of a URL can give more
 * access. If enabled with an empty list, nothing is allowed.
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

  allowsEndpoint({ path, aliases = [] }: AnyEndpoint, values: PathValues = {}): boolean {
    return this.#isOff() || [path, ...aliases].some((each) => this.#isListed(each, values))
  }

  #isOff(): boolean {
    return !this.#settings.get('ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS')
  }

  #isListed(path: string, values: PathValues = {}): boolean {
    const places = toPlaces(toSegments(path), values)
    return this.#entries.some((entry) => covers(entry, places))
  }
}
