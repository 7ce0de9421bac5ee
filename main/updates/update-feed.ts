import path from 'node:path'
import type { Session } from 'electron'
import { readTextFile } from '../profile/atomic-file.ts'
import type { WindowTraffic } from '../security/window-traffic.ts'

/** Update feed of this build. */
export interface UpdateFeed {
  /** File that contains the feed's URL, in the format of the update library. */
  readonly configFile: string
  readonly url: URL
}

const ADDRESS = /^url:\s*['"]?([^\s'"]+)/m
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** True for a URL whose responses cannot be modified in transit. */
const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))

/** Reads the file that packaging creates beside the program; null if it contains no safe URL. */
export function readUpdateFeed(configFile: string): UpdateFeed | null {
  const [, address = ''] = ADDRESS.exec(readTextFile(configFile) ?? '') ?? []
  const url = URL.parse(address)
  return url && isSafe(url) ? { configFile, url } : null
}

/** Returns the file of a packaged app, or the one a developer specified. */
export const findFeedFile = (
  app: { readonly isPackaged: boolean; readonly resources: string },
  named: string | null,
): string | null =>
  app.isPackaged ? path.join(app.resources, 'app-update.yml') : named && path.resolve(named)

/**
 * Restricts the update session to the feed's own host, including lists and redirects, and removes
 * data that could identify this computer.
 */
export function guardFeedSession(
  session: Session,
  { url }: UpdateFeed,
  traffic: Pick<WindowTraffic, 'expect' | 'follow'>,
): void {
  const { webRequest } = session
  traffic.follow(session)
  webRequest.onBeforeRequest((request, decide) => {
    const isOwn = URL.parse(request.url)?.origin === url.origin
    if (isOwn) traffic.expect({ ...request, sent: 0 }, 'update')
    decide({ cancel: !isOwn })
  })
  webRequest.onBeforeSendHeaders(({ requestHeaders }, decide) => {
    const kept = Object.entries(requestHeaders).filter(
      ([name]) => name.toLowerCase() !== 'x-user-staging-id',
    )
    decide({ requestHeaders: Object.fromEntries(kept) })
  })
}
