import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A connection to a server that can be silenced without being closed. */
export interface Wire {
  readonly port: number
  /** Blocks all data, or lets it through again. */
  setSilent(isSilent: boolean): void
  close(): Promise<void>
}

export async function startWire(target: { host: string; port: number }): Promise<Wire> {
  const sockets = new Set<Socket>()
  let isSilent = false
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer({ pauseOnConnect: true }, (near) => {
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      keep(from)
      from.on('data', (bytes) => to.write(bytes))
      from.on('close', () => to.destroy())
    }
    if (isSilent) far.pause()
    else near.resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    setSilent(wanted) {
      isSilent = wanted
      for (const socket of sockets)
        if (wanted) socket.pause()
        else socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
