import { startGateway, type BenchGateway, type GatewayOptions } from './gateway.ts'
import type { Target } from './http-client.ts'
import { startNginx } from './nginx.ts'
import {
  hasStreams,
  installedPeers,
  PEER_PATH,
  startPeer,
  type PeerName,
  type RunningPeer,
} from './peers.ts'
import { DRIVER_CORE, PROXY_CORE, startScript, type Spawned } from './spawned.ts'

/**
 * Relay between a caller and the model server: none, nginx, a bare Node proxy, the gateway, or one
 * of other projects.
 */
export type Runner = 'direct' | 'nginx' | 'raw' | 'gateway' | PeerName

/** Everything that a comparison of relays needs, each part on its own core. */
export interface RelayField {
  readonly driver: Spawned
  readonly gateway: BenchGateway
  readonly pids: Readonly<Partial<Record<Runner, number>>>
  /** The runners available here; nginx and the peers are missing if they are not installed. */
  readonly runners: readonly Runner[]
  /** Runners whose streams can be read. */
  readonly streamers: readonly Runner[]
  /** Returns a call of chat completions, or of another path. */
  target(runner: Runner, body: unknown, path?: string): Target
  stop(): Promise<void>
}

const PATH = '/api/chat/completions'

/** Options of a field that differ from the usual ones. */
export interface FieldOptions {
  readonly gateway?: GatewayOptions
  /** True to start the installed peers as well. */
  readonly hasPeers?: boolean
}

export async function startRelayField({
  gateway: options,
  hasPeers = false,
}: FieldOptions = {}): Promise<RelayField> {
  const model = await startScript('mock-upstream.ts', DRIVER_CORE)
  const driver = await startScript('driver.ts', DRIVER_CORE)
  const raw = await startScript('raw-proxy.ts', PROXY_CORE, [String(model.ready.port)])
  const nginx = await startNginx(model.ready.port, PROXY_CORE)
  const peers = new Map<Runner, RunningPeer>()
  for (const name of hasPeers ? installedPeers() : []) {
    const peer = await startPeer(name, model.ready.port, PROXY_CORE)
    if (peer) peers.set(name, peer)
  }
  const gateway = await startGateway(model.ready.port, PROXY_CORE, options)
  const running = new Map<Runner, { readonly port: number; readonly pid: number }>([
    ['direct', { port: model.ready.port, pid: model.pid }],
    ...(nginx ? [['nginx', nginx] as const] : []),
    ['raw', { port: raw.ready.port, pid: raw.pid }],
    ['gateway', gateway],
    ...peers,
  ])
  return {
    driver,
    gateway,
    pids: Object.fromEntries(
      [...running]
        .filter(([runner]) => runner !== 'direct')
        .map(([runner, { pid }]) => [runner, pid]),
    ),
    runners: [...running.keys()],
    streamers: [...running.keys()].filter(hasStreams),
    target(runner, body, path = peers.has(runner) ? PEER_PATH : PATH) {
      const { port } = running.get(runner)!
      const text = JSON.stringify(body)
      const head = [
        `POST ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        `Authorization: Bearer ${peers.get(runner)?.key ?? gateway.key}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(text)}`,
        ...(peers.get(runner)?.headers ?? []),
      ]
      return { port, request: `${head.join('\r\n')}\r\n\r\n${text}` }
    },
    async stop() {
      await Promise.all(
        [gateway, raw, driver, ...(nginx ? [nginx] : []), ...peers.values()].map((one) =>
          one.stop(),
        ),
      )
      await model.stop()
    },
  }
}

export const NO_NGINX =
  'nginx is not installed here: install it (apt-get install nginx-light) to compare with it.'
