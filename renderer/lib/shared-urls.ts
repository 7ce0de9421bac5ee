import type { SharingStatus } from '#contract/sharing.ts'

const isIpv6 = (url: string): boolean => url.includes('[')

/**
 * Returns the URLs at which devices of the network reach the gateway: IPv4 first, which every device
 * can open, then the announced name, which is easiest to type but not found by all, then IPv6.
 */
export function toSharedUrls({
  addresses,
  name,
  port,
}: Pick<SharingStatus, 'addresses' | 'name' | 'port'>): string[] {
  const urls = addresses.flatMap(({ url }) => (url === null ? [] : [url]))
  return [
    ...urls.filter((url) => !isIpv6(url)),
    ...(name === null || port === null ? [] : [`https://${name}:${port}`]),
    ...urls.filter(isIpv6),
  ]
}
