import { startGateway, type BenchGateway } from './gateway.ts'
import type { Target } from './http-client.ts'
import { startNginx } from './nginx.ts'
import { DRIVER_CORE, PROXY_CORE, startScript, type Spawned } from './spawned.ts'

/** What stands between a caller and the model server: nothing, nginx, a bare Node proxy, or the gateway. */
export type Runner = 'direct' | 'nginx' | 'raw' | 'gateway'

/** Everything a comparison of relays needs, each on its core. */
export interface RelayField {
  readonly driver: Spawned
  readonly gateway: BenchGateway
  readonly pids: Readonly<Partial<Record<Runner, number>>>
  /** The runners that can be had here; nginx is missing where it is not installed. */
  readonly runners: readonly Runner[]
  /** A call of chat completions, or of another path. */
  target(runner: Runner, body: unknown, path?: string): Target
  stop(): Promise<void>
}

const PATH = '/api/chat/completions'

export async function startRelayField(prepare?: (database: string) => void): Promise<RelayField> {
  const model = await startScript('mock-upstream.ts', DRIVER_CORE)
  const driver = await startScript('driver.ts', DRIVER_CORE)
  const raw = await startScript('raw-proxy.ts', PROXY_CORE, [String(model.ready.port)])
  const nginx = await startNginx(model.ready.port, PROXY_CORE)
  const gateway = await startGateway(model.ready.port, PROXY_CORE, { prepare })
  const ports = { direct: model.ready.port, nginx: nginx?.port ?? 0, raw: raw.ready.port, gateway: gateway.port }
  return {
    driver,
    gateway,
    pids: { raw: raw.pid, gateway: gateway.pid, ...(nginx && { nginx: nginx.pid }) },
    runners: nginx ? ['direct', 'nginx', 'raw', 'gateway'] : ['direct', 'raw', 'gateway'],
    target(runner, body, path = PATH) {
      const text = JSON.stringify(body)
      const head = [
        `POST ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${ports[runner]}`,
        `Authorization: Bearer ${gateway.key}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(text)}`,
      ]
      return { port: ports[runner], request: `${head.join('\r\n')}\r\n\r\n${text}` }
    },
    async stop() {
      await Promise.all([gateway.stop(), nginx?.stop(), raw.stop(), driver.stop()])
      await model.stop()
    },
  }
}

export const NO_NGINX = 'nginx is not installed here: install it (apt-get install nginx-light) to compare with it.'
