import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4')
linkLocal.addSubnet('fe80::', 10, 'ipv6')

const privateRanges = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  privateRanges.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateRanges.addSubnet(network, bits, 'ipv6')

/**
 * Returns true if an IP address literal is in a list; IPv4 mapped into IPv6 counts as the IPv4
 * address.
 */
export function isListed(list: BlockList, host: string): boolean {
  const address = host.startsWith('[') ? host.slice(1, -1) : host
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Returns true if a host of a parsed URL is this computer: `localhost` or a loopback address, never
 * a name that merely looks like one.
 */
export const isLoopbackHost = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || isListed(loopback, host)

/** Returns true for an address that is valid on one link only. */
export const isLinkLocalHost = (host: string): boolean => isListed(linkLocal, host)

/**
 * Returns true if a host is this computer or an address of a private network. Names are not
 * resolved.
 */
export const isPrivateHost = (host: string): boolean =>
  isLoopbackHost(host) || isListed(privateRanges, host)
