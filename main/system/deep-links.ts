import { deepLinkSchema, type DeepLink } from '#desktop'

export const LINK_SCHEME = 'chat-gateway'
const PREFIX = new RegExp(`^${LINK_SCHEME}:`, 'i')
/** In bytes. */
const LONGEST_LINK = 16_000
/** A second start can hand over 32 KiB with all its arguments. */
const LONGEST_HANDED_OVER = 20_000
/**
 * Characters the user cannot see and must not be asked to confirm, such as tags that models read.
 * Tabs and line feeds are allowed, and the selectors that choose between text and picture signs.
 */
const INVISIBLE =
  /(?!\t|\n|\ufe0e|\ufe0f)[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028-\u202f\ufff9-\ufffb]/u
const ALLOWED: ReadonlyMap<string, readonly string[]> = new Map([
  ['ask', ['text', 'model']],
  ['add-mcp', ['name', 'config']],
])

const refuse = (reason: Extract<DeepLink, { kind: 'refused' }>['reason']): DeepLink => ({
  kind: 'refused',
  reason,
})

/** True if all names and values are visible characters. */
function isVisible(value: unknown): boolean {
  if (typeof value === 'string') return !INVISIBLE.test(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).flat().every(isVisible)
}

/** Reads the parameters: each at most once, only allowed ones, without invisible characters. */
function readParameters(url: URL, allowed: readonly string[]): Record<string, string> | null {
  const names = [...url.searchParams.keys()]
  const isKnown = names.every((name) => allowed.includes(name))
  if (!isKnown || new Set(names).size !== names.length) return null
  return Object.fromEntries(url.searchParams)
}

/** Parses JSON, plain or in base64 as other programs write it. */
function readConfig(text: string): unknown {
  const json = text.trimStart().startsWith('{')
    ? text
    : new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'))
  return JSON.parse(json)
}

function toLink(url: URL): unknown {
  const { host, pathname } = url
  if (host === 'chat') return url.search === '' ? { kind: 'chat', chatId: pathname.slice(1) } : null
  const parameters = readParameters(url, ALLOWED.get(host) ?? [])
  if (!parameters || (pathname !== '' && pathname !== '/')) return null
  const { text, model = null, name, config = '' } = parameters
  if (host === 'ask') return { kind: 'ask', text, model }
  if (host === 'add-mcp') return { kind: 'tool-server', name, config: readConfig(config) }
  return null
}

/**
 * Parses a link of this app. The result can always be displayed by a page: the complete request of
 * the link, or the reason it is refused.
 */
export function parseDeepLink(text: string): DeepLink {
  if (Buffer.byteLength(text) > LONGEST_LINK) return refuse('long')
  try {
    const url = new URL(text)
    const hasMore = url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== ''
    const shown = decodeURIComponent(text.replaceAll('+', ' '))
    if (url.protocol !== `${LINK_SCHEME}:` || hasMore || !isVisible(shown))
      return refuse('unreadable')
    const link = toLink(url)
    if (!isVisible(link)) return refuse('unreadable')
    const known = deepLinkSchema.safeParse(link)
    return known.success ? known.data : refuse('unknown')
  } catch {
    // Invalid URL, percent-encoding, base64 or JSON.
    return refuse('unreadable')
  }
}

/** Returns the path of the page that shows a link's request. */
export const toLinkPath = (link: DeepLink): string =>
  `/link?${new URLSearchParams({ asked: JSON.stringify(link) }).toString()}`

/** Returns the link among the start arguments passed by the system, if any. */
export const findLink = (argv: readonly string[]): string | null =>
  argv.find((argument) => PREFIX.test(argument)) ?? null

/**
 * Returns the arguments with a link that is too long cut to one that is refused as too long; null
 * if there is none.
 */
export function shortenLink(argv: readonly string[]): string[] | null {
  const link = findLink(argv)
  if (link === null || Buffer.byteLength(link) <= LONGEST_HANDED_OVER) return null
  const short = Buffer.from(link)
    .subarray(0, LONGEST_LINK + 1)
    .toString()
  return argv.map((argument) => (argument === link ? short : argument))
}
