import { mapInOrder } from '../lib/in-order.ts'
import { findFreePort } from './find-free-port.ts'
import { startNginx, type Nginx } from './start-nginx.ts'
import type { GatewayProcess } from './start-process.ts'
import { startReplicas, type Replicas } from './start-replicas.ts'

const GATEWAYS = 3

/** Three gateways, the proxy in front of them and the services behind them. */
export interface ThreeGateways {
  readonly world: Replicas
  readonly nginx: Nginx
  readonly gateways: GatewayProcess[]
  /** Starts a new gateway in the place of one that ended. */
  startAgain(place: number): Promise<GatewayProcess>
  close(): Promise<void>
}

/** Starts three gateways on one PostgreSQL and one Redis behind the shipped nginx configuration. */
export async function startThree(more: Record<string, string> = {}): Promise<ThreeGateways> {
  const world = await startReplicas()
  const ports = await mapInOrder([...Array.from({ length: GATEWAYS }), 'nginx'], findFreePort)
  const port = ports.pop()!
  const environmentOf = (own: number): Record<string, string> => ({
    PORT: String(own),
    WEBUI_URL: `http://127.0.0.1:${port}`,
    TRUSTED_PROXIES: '127.0.0.1',
    ENABLE_API_KEY_LIMITS: 'true',
    ENABLE_CHANNELS: 'true',
    ...more,
  })
  const open = async () => {
    // If one fails, the others that are still starting must not be left running.
    const started = await Promise.allSettled(ports.map((own) => world.start(environmentOf(own))))
    const gateways = started.map((each) => {
      if (each.status === 'rejected') throw each.reason
      return each.value
    })
    return { gateways, nginx: await startNginx({ port, gateways: gateways.map(({ url }) => url) }) }
  }
  const { gateways, nginx } = await open().catch(async (error: unknown) => {
    await world.close()
    throw error
  })
  return {
    world,
    nginx,
    gateways,
    async startAgain(place) {
      return (gateways[place] = await world.start(environmentOf(ports[place]!)))
    },
    async close() {
      await nginx.close()
      await world.close()
    },
  }
}
