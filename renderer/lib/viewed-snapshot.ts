import { basePath } from './base-path.ts'

const VIEW = /^(.*)\/at\/([^/]+)$/

/** Splits the base path of a page into that of the gateway and the snapshot it looks at. */
export function readViewed(path: string): { readonly base: string; readonly id: string | null } {
  const [, base, id] = VIEW.exec(path) ?? []
  return base === undefined || id === undefined
    ? { base: path, id: null }
    : { base, id: decodeURIComponent(id) }
}

const viewed = readViewed(basePath)

/** The snapshot this page looks at, where nothing can be changed; null for the present. */
export const viewedSnapshot: string | null = viewed.id

/** The address of something in the present, whatever this page looks at. */
export const presentPath = (path: string): string => viewed.base + path

/** The address of something as a snapshot has it. */
export const snapshotPath = (id: string, path = '/'): string =>
  `${viewed.base}/at/${encodeURIComponent(id)}${path}`
