import { hostname, networkInterfaces } from 'node:os'
import { isPrivateHost, isLoopbackHost } from '../lib/host-address.ts'

/** A current IP address of this computer. */
export interface LocalAddress {
  readonly address: string
  readonly interface: string
}

const isLinkLocal = (address: string): boolean => /^fe[89ab]/i.test(address)

/**
 * Returns the current private IP addresses of this computer, IPv4 first, loopback last. Public ones
 * are left out: sharing is meant for trusted local networks.
 */
export function listAddresses(): LocalAddress[] {
  const found = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ address }) => isPrivateHost(address) && !isLinkLocal(address))
      .map(({ address, family }) => ({ address, interface: name, family })),
  )
  const rank = ({ address, family }: (typeof found)[number]): number =>
    (isLoopbackHost(address) ? 2 : 0) + (family === 'IPv6' ? 1 : 0)
  return found
    .toSorted((left, right) => rank(left) - rank(right))
    .map(({ address, interface: name }) => ({ address, interface: name }))
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
