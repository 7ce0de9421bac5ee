import type { ConnectionKind } from '#contract/connections.ts'

/** Ends of addresses that are copied from examples of calls; the base address stands before them. */
const CALLS =
  /(\/chat\/completions|\/completions|\/responses|\/embeddings|\/models|\/messages(\/count_tokens)?)$/i
const RUNTIME_CALLS = /(\/api(\/(chat|generate|tags|version|embed|embeddings|show))?|\/v1(\/.*)?)$/i
const HAS_SCHEME = /^[a-z][a-z\d+.-]*:\/\//i
/** Names and networks that are reached without a certificate as a rule. */
const NEAR =
  /^(localhost|127\.|10\.\d|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[|[^./:]+(:\d+)?(\/|$)|[^/:]+\.(local|lan|home|internal)(:|\/|$))/i

/** A base address as it is meant, whatever of it was typed or pasted. */
export function readAddress(text: string, kind: ConnectionKind): string {
  const typed = text.trim().replace(/^["'<]+|["'>]+$/g, '')
  // What holds spaces is no address in any reading; whoever typed it sees it as it is.
  if (typed === '' || /\s/.test(typed)) return typed
  const whole = HAS_SCHEME.test(typed)
    ? typed
    : `${NEAR.test(typed) ? 'http' : 'https'}://${typed.replace(/^\/+/, '')}`
  const bare = whole.replace(/[?#].*$/, '').replace(/\/+$/, '')
  return bare.replace(kind === 'runtime' ? RUNTIME_CALLS : CALLS, '').replace(/\/+$/, '')
}

/** Whether nothing but a host was given, where most providers want a path such as `/v1`. */
export const isHostAlone = (url: string): boolean => {
  const path = URL.parse(url)?.pathname
  return path === '/' || path === ''
}
