import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * All IPv4 ranges outside the public internet: IANA's special-purpose registry, multicast, and the
 * one public address at which a cloud provider serves metadata to its guests.
 */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const

/**
 * The only public IPv6 range, which excludes mapped, translated (NAT64), unique local and
 * link-local addresses …
 */
const PUBLIC_V6 = '2000::/3'
/**
 * … except these: protocol assignments including Teredo, 6to4, documentation, and a direct
 * delegation.
 */
const NOT_PUBLIC_V6 = [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
] as const

function toBlockList(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

const notPublicV4 = toBlockList(NOT_PUBLIC_V4, 'ipv4')
const publicV6 = toBlockList([PUBLIC_V6], 'ipv6')
const notPublicV6 = toBlockList(NOT_PUBLIC_V6, 'ipv6')

/**
 * Returns true for this computer's own public addresses, on which services may listen that are
 * unreachable from outside.
 */
const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some((entries) =>
    entries?.some((entry) => entry.address === address),
  )

/**
 * Returns true if a numeric IP address belongs to another computer on the public internet. False
 * for anything that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return false
  // An address with a zone names an interface of this computer.
  if (address.includes('%')) return false
  const isGlobal =
    family === 4
      ? !notPublicV4.check(address, 'ipv4')
      : publicV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6')
  return isGlobal && !isOwn(address)
}
