/**
 * Returns true if an `If-None-Match` header names a tag. Proxies that compress replies mark the tag
 * as weak, which counts as the same.
 */
export const hasTag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' ||
    header.split(',').some((each) => each.trim().replace(/^W\//, '') === etag))
