/** Reasons why a proxy opens no tunnel. */
export type ProxyFault =
  | 'PROXY_UNREACHABLE'
  | 'PROXY_SILENT'
  | 'PROXY_WANTS_SIGN_IN'
  | 'PROXY_REFUSED'
  | 'PROXY_FOUND_NOTHING'
  | 'PROXY_BROKE_OFF'
  | 'PROXY_SPEAKS_OTHERWISE'
  | 'PROXY_NOT_TRUSTED'
  | 'PROXY_OF_ANOTHER_KIND'

const SENTENCES: Readonly<Record<ProxyFault, string>> = {
  PROXY_UNREACHABLE: 'The proxy cannot be reached.',
  PROXY_SILENT: 'The proxy did not answer in time.',
  PROXY_WANTS_SIGN_IN: 'The proxy wants a user name and password, or refuses those it was given.',
  PROXY_REFUSED: 'The proxy does not let the gateway through to this server.',
  PROXY_FOUND_NOTHING: 'The proxy could not reach the server.',
  PROXY_BROKE_OFF: 'The proxy ended the connection before it answered.',
  PROXY_SPEAKS_OTHERWISE:
    'What answers at the address of the proxy is no proxy of the kind that its address names.',
  PROXY_NOT_TRUSTED: 'The certificate of the proxy is not trusted.',
  PROXY_OF_ANOTHER_KIND:
    'The system names a proxy of a kind that is not supported, such as SOCKS 4. A proxy of HTTP or SOCKS 5 is needed.',
}

/** A tunnel could not be established; nothing was sent to its destination. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly code: ProxyFault
  /** Display name of the proxy. */
  readonly proxy: string

  constructor(code: ProxyFault, proxy: string, cause?: unknown) {
    super(SENTENCES[code], { cause })
    this.code = code
    this.proxy = proxy
  }
}

/** Returns a proxy error, even if a library has wrapped it. */
export function toProxyError(error: unknown): ProxyError | null {
  if (error instanceof ProxyError) return error
  return error instanceof Error && error.cause !== undefined ? toProxyError(error.cause) : null
}
