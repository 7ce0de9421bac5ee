import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const TRIES = 50

/** Binds to a port; resolves with false if it is taken or not allowed. */
export function tryListen(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      server.off('listening', onListening)
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false)
      else reject(error)
    }
    const onListening = () => {
      server.off('error', onError)
      resolve(true)
    }
    server.once('error', onError)
    server.once('listening', onListening)
    server.listen({ host, port, exclusive: true })
  })
}

/**
 * Binds to `port` or, if that is taken, to the next free one (docs/decisions.md); resolves with the
 * bound port.
 */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  for (let candidate = port; candidate < port + TRIES; candidate += 1) {
    if (await tryListen(server, host, candidate > 65_535 ? 0 : candidate))
      return (server.address() as AddressInfo).port
  }
  if (await tryListen(server, host, 0)) return (server.address() as AddressInfo).port
  throw new Error(`No port can be opened on ${host}.`)
}
