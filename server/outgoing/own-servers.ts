import type { Config } from '../config/config.ts'
import type { Purpose } from '../lib/outgoing/purpose.ts'
import type { Target } from '../lib/outgoing/way-out.ts'

/** A server that holds data of the gateway itself, as an address of the environment names it. */
export type OwnServer = Pick<Target, 'host' | 'port'>

const PORTS: Readonly<Record<string, number>> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
  'http:': 80,
  'https:': 443,
}

function toServer(address: string): OwnServer {
  const { protocol, hostname, port, searchParams } = new URL(address)
  // The library of PostgreSQL lets these parameters replace what stands before them.
  const [host, named] = [searchParams.get('host') || hostname, searchParams.get('port') || port]
  return {
    host: host.replace(/^\[(.*)\]$/, '$1').toLowerCase(),
    port: Number(named) || PORTS[protocol]!,
  }
}

/** Returns the servers that DATABASE_URL, REDIS_URL and S3_ENDPOINT_URL name. */
export function findOwnServers({
  databaseServer,
  redisUrl,
  objectStore,
}: Pick<Config, 'databaseServer' | 'redisUrl' | 'objectStore'>): OwnServer[] {
  const servers = [databaseServer?.address, redisUrl].flatMap((address) =>
    address ? toServer(address) : [],
  )
  if (!objectStore?.endpoint) return servers
  const store = toServer(objectStore.endpoint)
  const ofBucket = { ...store, host: `${objectStore.bucket}.${store.host}`.toLowerCase() }
  return [...servers, store, ...(objectStore.isPathStyle ? [] : [ofBucket])]
}

/**
 * Returns true for a connection to one of these servers that the gateway opens for its own data;
 * nothing else may reach them in sealed mode, and no proxy stands in between.
 */
export const isOwnServer = (
  servers: readonly OwnServer[],
  { host, port, via }: Target,
  { kind }: Pick<Purpose, 'kind'>,
): boolean =>
  kind === 'shared_store' &&
  via === undefined &&
  servers.some((server) => server.host === host.toLowerCase() && server.port === port)
