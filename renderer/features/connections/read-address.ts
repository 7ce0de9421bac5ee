import {
  CONNECTION_KIND_NAMES,
  CONNECTION_KINDS,
  type ConnectionKind,
} from '#contract/connection-kinds.ts'

const HAS_SCHEME = /^[a-z][a-z\d+.-]*:\/\//i
/** Hosts and networks that are usually accessed without TLS. */
const NEAR =
  /^(localhost|127\.|10\.\d|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[|[^./:]+(:\d+)?(\/|$)|[^/:]+\.(local|lan|home|internal)(:|\/|$))/i

/**
 * Removes the path of a sample call from a URL. That of a remote provider may be of another kind
 * than the chosen one.
 */
function withoutCall(url: string, kind: ConnectionKind): string {
  const { isRuntime } = CONNECTION_KINDS[kind]
  return CONNECTION_KIND_NAMES.map((name) => CONNECTION_KINDS[name])
    .filter((row) => row.isRuntime === isRuntime)
    .reduce((bare, { calls }) => (bare === url ? url.replace(calls, '') : bare), url)
}

/** Returns the intended base URL for a typed or pasted text. */
export function readAddress(text: string, kind: ConnectionKind): string {
  const typed = text.trim().replace(/^["'<]+|["'>]+$/g, '')
  // Text with spaces cannot be a URL; it is returned unchanged, so that the user sees it.
  if (typed === '' || /\s/.test(typed)) return typed
  const whole = HAS_SCHEME.test(typed)
    ? typed
    : `${NEAR.test(typed) ? 'http' : 'https'}://${typed.replace(/^\/+/, '')}`
  const bare = whole.replace(/[?#].*$/, '').replace(/\/+$/, '')
  return withoutCall(bare, kind).replace(/\/+$/, '')
}

/** True if only a host was given, where most providers need a path such as `/v1`. */
export const isHostAlone = (url: string): boolean => {
  const path = URL.parse(url)?.pathname
  return path === '/' || path === ''
}
