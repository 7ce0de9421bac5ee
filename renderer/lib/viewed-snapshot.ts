import { basePath } from './base-path.ts'

const VIEW = /^(.*)\/at\/([^/]+)$/

/**
 * Splits the base path of a page into the gateway's base path and the id of the viewed snapshot.
 */
export function readViewed(path: string): { readonly base: string; readonly id: string | null } {
  const [, base, id] = VIEW.exec(path) ?? []
  return base === undefined || id === undefined
    ? { base: path, id: null }
    : { base, id: decodeURIComponent(id) }
}

const viewed = readViewed(basePath)

/** The snapshot this page shows, in which nothing can be changed; null for the present. */
export const viewedSnapshot: string | null = viewed.id

/** Returns the path of a resource in the present, whatever this page shows. */
export const presentPath = (path: string): string => viewed.base + path

/** Returns the path of a resource in a snapshot. */
export const snapshotPath = (id: string, path = '/'): string =>
  `${viewed.base}/at/${encodeURIComponent(id)}${path}`
