/**
 * Returns the path of the directory that contains the script's `assets`; empty at the root of a
 * host.
 */
export function readBasePath(scriptUrl: string): string {
  const path = URL.parse(scriptUrl)?.pathname ?? ''
  const place = path.lastIndexOf('/assets/')
  return place === -1 ? '' : path.slice(0, place)
}

/** Base path of the gateway: empty, or a path such as `/chat` if a proxy serves it below one. */
export const basePath = readBasePath(import.meta.url)

/** Returns a gateway URL as this page reaches it; other URLs are returned unchanged. */
export const withBase = (address: string): string =>
  /^\/(?!\/)/.test(address) ? basePath + address : address

/** Returns the gateway's base URL for clients. */
export const gatewayAddress = (): string => location.origin + basePath
