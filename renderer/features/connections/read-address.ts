import type { ConnectionKind } from '#contract/connections.ts'

/** URL suffixes copied from sample calls, which follow the base URL. */
const CALLS =
  /(\/chat\/completions|\/completions|\/responses|\/embeddings|\/models|\/messages(\/count_tokens)?)$/i
const RUNTIME_CALLS = /(\/api(\/(chat|generate|tags|version|embed|embeddings|show))?|\/v1(\/.*)?)$/i
const HAS_SCHEME = /^[a-z][a-z\d+.-]*:\/\//i
/** Hosts and networks that are usually accessed without TLS. */
const NEAR =
  /^(localhost|127\.|10\.\d|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[|[^./:]+(:\d+)?(\/|$)|[^/:]+\.(local|lan|home|internal)(:|\/|$))/i

/** Returns the intended base URL for a typed or pasted text. */
export function readAddress(text: string, kind: ConnectionKind): string {
  const typed = text.trim().replace(/^["'<]+|["'>]+$/g, '')
  // Text with spaces cannot be a URL; it is returned unchanged, so that the user sees it.
  if (typed === '' || /\s/.test(typed)) return typed
  const whole = HAS_SCHEME.test(typed)
    ? typed
    : `${NEAR.test(typed) ? 'http' : 'https'}://${typed.replace(/^\/+/, '')}`
  const bare = whole.replace(/[?#].*$/, '').replace(/\/+$/, '')
  return bare.replace(kind === 'runtime' ? RUNTIME_CALLS : CALLS, '').replace(/\/+$/, '')
}

/** True if only a host was given, where most providers need a path such as `/v1`. */
export const isHostAlone = (url: string): boolean => {
  const path = URL.parse(url)?.pathname
  return path === '/' || path === ''
}
