import type { ConnectionOptions } from 'node:tls'
import { trustOptions } from '../outgoing/trust.ts'
import { connect as connectPlain, isIP, type OnReadOpts, type Socket } from 'node:net'

/** Opens a connection to one origin; `event` is emitted once it can carry requests. */
export interface SocketOpener {
  readonly event: 'connect' | 'secureConnect'
  open(onread: OnReadOpts): Socket
}

const KEEP_ALIVE_MILLISECONDS = 60_000

/** Returns a promise only for origins that need TLS, which is loaded by the first of them. */
export function createSocketOpener(origin: URL): SocketOpener | Promise<SocketOpener> {
  const host = origin.hostname.replace(/^\[(.*)\]$/, '$1')
  const isSecure = origin.protocol === 'https:'
  const options = {
    host,
    port: Number(origin.port || (isSecure ? 443 : 80)),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MILLISECONDS,
  }
  if (isSecure) return openSecurely(options)
  return { event: 'connect', open: (onread) => connectPlain({ ...options, onread }) }
}

interface HostOptions {
  readonly host: string
  readonly port: number
}

async function openSecurely(options: HostOptions): Promise<SocketOpener> {
  const tls = await import('node:tls')
  // TLS session from the server that shortens the next handshake.
  let session: Buffer | undefined
  return {
    event: 'secureConnect',
    open(onread) {
      const settings: ConnectionOptions & { onread: OnReadOpts } = {
        ...options,
        servername: isIP(options.host) ? '' : options.host,
        ALPNProtocols: ['http/1.1'],
        ...(session && { session }),
        ...trustOptions(tls),
        onread,
      }
      return tls.connect(settings).on('session', (given) => (session = given))
    },
  }
}
