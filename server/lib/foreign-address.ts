/** A web address elsewhere; null for one of the gateway itself, where a browser that follows it could set something off. */
export function toForeignAddress(address: string, host: string | undefined): string | null {
  const url = /^https?:\/\//i.test(address) ? URL.parse(address) : null
  return url && url.host !== host?.toLowerCase() ? url.href : null
}
