import { BlockList, isIP } from 'node:net'

/** Names without a dot, in the notation of Windows. */
const LOCAL_NAMES = '<local>'

interface Host {
  readonly name: string
  readonly port: string
}

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

const toHost = ({ hostname, port, protocol }: URL): Host => ({
  name: withoutBrackets(hostname).toLowerCase().replace(/\.$/, ''),
  port: port || (/^(https|wss):$/.test(protocol) ? '443' : '80'),
})

function isInNetwork(entry: string, name: string): boolean {
  const [network = '', bits = ''] = entry.split('/')
  const family = isIP(network)
  if (family === 0 || isIP(name) !== family || !/^\d{1,3}$/.test(bits)) return false
  if (Number(bits) > (family === 4 ? 32 : 128)) return false
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(network, Number(bits), kind)
  return list.check(name, kind)
}

/** Splits an entry into name and port; IPv6 addresses contain colons themselves. */
function split(entry: string): { name: string; port: string | null } {
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(entry)
  if (bracketed) return { name: bracketed[1]!, port: bracketed[2] ?? null }
  const plain = /^([^:]+):(\d+)$/.exec(entry)
  return plain ? { name: plain[1]!, port: plain[2]! } : { name: entry, port: null }
}

function fits(text: string, { name, port }: Host): boolean {
  const entry = text.trim().toLowerCase()
  if (entry === '*') return true
  if (entry === LOCAL_NAMES) return !name.includes('.') && isIP(name) === 0
  if (entry.includes('/')) return isInNetwork(entry, name)
  const { name: listed, port: listedPort } = split(entry)
  if (listedPort !== null && listedPort !== port) return false
  const suffix = listed.replace(/^\*?\./, '').replace(/\.$/, '')
  if (suffix === '') return false
  // IP addresses have no parts that a suffix could match.
  return name === suffix || (isIP(name) === 0 && name.endsWith(`.${suffix}`))
}

/**
 * Reports whether a URL is called without the proxy: entries are names with all their subdomains,
 * IP addresses, networks such as `10.0.0.0/8`, each with or without a port, `<local>` or `*`.
 */
export function isException(entries: readonly string[], address: URL): boolean {
  const host = toHost(address)
  return entries.some((entry) => fits(entry, host))
}
