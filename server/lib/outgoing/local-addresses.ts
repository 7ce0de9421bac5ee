import { hostname, networkInterfaces } from 'node:os'
import { BlockList, isIP } from 'node:net'
import { isLinkLocalHost, isListed, isLoopbackHost, isPrivateHost } from './host-address.ts'

/** A current IP address of this computer. */
export interface LocalAddress {
  readonly address: string
  /** The address with the length of its network, such as `192.168.1.5/24`. */
  readonly network: string
  readonly interface: string
}

/** Returns true for a link-local address of IPv6, which needs the name of its interface. */
const isScoped = (address: string, family: string): boolean =>
  family === 'IPv6' && isLinkLocalHost(address)

/**
 * Returns the current private IP addresses of this computer, IPv4 first, loopback last. Public ones
 * are left out: sharing is meant for trusted local networks.
 */
export function listAddresses(): LocalAddress[] {
  const found = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ address, family }) => isPrivateHost(address) && !isScoped(address, family))
      .map(({ address, cidr, family }) => ({
        address,
        network: cidr ?? address,
        interface: name,
        family,
      })),
  )
  const rank = ({ address, family }: (typeof found)[number]): number =>
    (isLoopbackHost(address) ? 2 : 0) + (family === 'IPv6' ? 1 : 0)
  return found
    .toSorted((left, right) => rank(left) - rank(right))
    .map(({ address, network, interface: name }) => ({ address, network, interface: name }))
}

/**
 * Returns the addresses for devices: the selected ones, or all that others can reach. Most networks
 * give every device an IPv4 address, so IPv6 addresses are used only if there is no other.
 */
export function chooseAddresses(
  present: readonly LocalAddress[],
  chosen: readonly string[],
): string[] {
  const all = present.map(({ address }) => address)
  if (chosen.length > 0) return all.filter((address) => chosen.includes(address))
  const reachable = all.filter((address) => !isLoopbackHost(address))
  const short = reachable.filter((address) => !address.includes(':'))
  return short.length > 0 ? short : reachable
}

/**
 * Returns true if an address is in the network of one of the given addresses of this computer.
 * Link-local addresses never are: servers of clouds hand out secrets there.
 */
export function isInNetworkOf(shared: readonly LocalAddress[], host: string): boolean {
  if (!isPrivateHost(host) || isLinkLocalHost(host)) return false
  const networks = new BlockList()
  for (const { address, network } of shared) {
    const isSixth = isIP(address) === 6
    const bits = Number(network.split('/')[1] ?? (isSixth ? 128 : 32))
    networks.addSubnet(address, bits, isSixth ? 'ipv6' : 'ipv4')
  }
  return isListed(networks, host)
}

/** Returns the name of this computer as a single domain label. */
export function computerName(): string {
  const label = hostname()
    .split('.')[0]!
    .toLowerCase()
    .replace(/[^a-z\d-]/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
  return label === '' ? 'chat-gateway' : label
}
