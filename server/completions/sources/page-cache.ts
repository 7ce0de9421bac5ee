import type { Library, WebPage } from './library.ts'

const KEPT_MILLISECONDS = 10 * 60 * 1000
const MOST_PAGES = 100
/** Maximum total length of all texts, in UTF-16 units. */
const MOST_TEXT = 32 * 1024 * 1024

interface Kept {
  readonly page: WebPage
  readonly until: number
}

/**
 * Caches pages for several minutes, so that a URL attached to a message is not fetched again with
 * every turn of the conversation. Fetching uses no data of the caller, so all callers get the same
 * page. `check` runs on each use, because an administrator may have blocked the URL meanwhile.
 */
export function createPageCache(
  readPage: Library['readPage'],
  check: (address: string) => unknown,
): Library['readPage'] {
  const pages = new Map<string, Kept>()

  function forgetOld(now: number): void {
    let length = 0
    const newestFirst = [...pages].toReversed()
    for (const [place, [address, { page, until }]] of newestFirst.entries()) {
      length += page.text.length
      if (until <= now || place >= MOST_PAGES || length > MOST_TEXT) pages.delete(address)
    }
  }

  return async (address, signal) => {
    const known = pages.get(address)
    if (known && known.until > Date.now()) {
      check(address)
      return known.page
    }
    const { url, title, text } = await readPage(address, signal)
    const page = { url, title, text }
    pages.delete(address)
    pages.set(address, { page, until: Date.now() + KEPT_MILLISECONDS })
    forgetOld(Date.now())
    return page
  }
}
