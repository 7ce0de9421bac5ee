import path from 'node:path'
import type { Session } from 'electron'
import { readTextFile } from '../atomic-file.ts'

/** Where new versions of this build are announced. */
export interface UpdateFeed {
  /** The file that names the address, as the library that updates reads it. */
  readonly configFile: string
  readonly url: URL
}

const ADDRESS = /^url:\s*['"]?([^\s'"]+)/m
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** An address nobody between here and there can change what comes from. */
const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))

/** Reads the file that packing leaves beside the program; null where it names no safe address. */
export function readUpdateFeed(configFile: string): UpdateFeed | null {
  const [, address = ''] = ADDRESS.exec(readTextFile(configFile) ?? '') ?? []
  const url = URL.parse(address)
  return url && isSafe(url) ? { configFile, url } : null
}

/** The file of a packaged app, or the one a developer names. */
export const findFeedFile = (
  app: { readonly isPackaged: boolean; readonly resources: string },
  named: string | null,
): string | null =>
  app.isPackaged ? path.join(app.resources, 'app-update.yml') : named && path.resolve(named)

/**
 * Lets the session of updates speak with the feed's own host alone, wherever lists and redirects
 * lead, and tell it nothing that would recognise this computer.
 */
export function guardFeedSession({ webRequest }: Session, { url }: UpdateFeed): void {
  webRequest.onBeforeRequest((request, decide) =>
    decide({ cancel: URL.parse(request.url)?.origin !== url.origin }),
  )
  webRequest.onBeforeSendHeaders(({ requestHeaders }, decide) => {
    const kept = Object.entries(requestHeaders).filter(
      ([name]) => name.toLowerCase() !== 'x-user-staging-id',
    )
    decide({ requestHeaders: Object.fromEntries(kept) })
  })
}
