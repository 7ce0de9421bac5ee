const MOST_HOPS = 15

/** Headers a browser sends when it navigates to a page. */
const PAGE_HEADERS = {
  'User-Agent': 'Mozilla/5.0 (test)',
  Accept: 'text/html',
  'Sec-Fetch-Site': 'cross-site',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
}

/**
 * A browser limited to cookies and redirects. Like real ones it sends the cookies of a host to each
 * of its ports.
 */
export class TestBrowser {
  readonly cookies = new Map<string, string>()
  readonly #headers: Readonly<Record<string, string>>

  /**
   * Without `isPage` it is an API client that keeps cookies. `address` is the client's IP address
   * as reported by a proxy.
   */
  constructor({ isPage = true, address }: { isPage?: boolean; address?: string } = {}) {
    this.#headers = {
      ...(isPage && PAGE_HEADERS),
      ...(address !== undefined && { 'X-Forwarded-For': address }),
    }
  }

  /** Sends one request, with the cookies set before. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      ...(init.method === undefined && this.#headers),
      ...(cookie !== '' && { Cookie: cookie }),
      ...(init.headers as object),
    }
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) this.#take(line)
    return response
  }

  /** Follows redirects until a URL starts with `end`, which is not opened. */
  async follow(url: string, end: string): Promise<string> {
    let address = url
    for (let hop = 0; hop < MOST_HOPS; hop += 1) {
      if (address.startsWith(end)) return address
      const response = await this.fetch(address)
      const location = response.headers.get('location')
      if (location === null)
        throw new Error(
          `${address} answered ${response.status}: ${(await response.text()).slice(0, 500)}`,
        )
      address = new URL(location, address).href
    }
    throw new Error(`Too many redirects, the last to ${address}`)
  }

  #take(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const name = pair.slice(0, pair.indexOf('='))
    const isGone = attributes.some(
      (attribute) => /^max-age=0$/i.test(attribute) || /^expires=thu, 01 jan 1970/i.test(attribute),
    )
    if (isGone) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(name.length + 1))
  }
}
