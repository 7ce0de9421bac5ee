/**
 * The path a script of the interface lies below, which holds its `assets`; empty at the root of a
 * host.
 */
export function readBasePath(scriptUrl: string): string {
  const path = URL.parse(scriptUrl)?.pathname ?? ''
  const place = path.lastIndexOf('/assets/')
  return place === -1 ? '' : path.slice(0, place)
}

/** Empty, or a path such as `/chat` where a proxy serves the gateway below one. */
export const basePath = readBasePath(import.meta.url)

/** An address of the gateway as this page reaches it; anything that is no path of it stays. */
export const withBase = (address: string): string =>
  /^\/(?!\/)/.test(address) ? basePath + address : address

/** Where this page reaches the gateway, for programs. */
export const gatewayAddress = (): string => location.origin + basePath
