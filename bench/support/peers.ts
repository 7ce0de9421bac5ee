import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort, waitForPort } from './ports.ts'
import { pinned, stopProcess } from './spawned.ts'

/**
 * Gateways of other projects that the product is compared with if they are installed (`node
 * bench/install-peers.ts`).
 */
export type PeerName = 'vllm-router' | 'litellm' | 'portkey'

/** A peer in front of the model server. */
export interface RunningPeer {
  readonly pid: number
  readonly port: number
  /** Header lines that its callers send. */
  readonly headers: readonly string[]
  /** Key that its callers send; any key if it requires none. */
  readonly key: string | null
  stop(): Promise<void>
}

/** Folder in which peers are installed; `BENCH_PEERS` names another one. */
export const PEERS_FOLDER =
  process.env['BENCH_PEERS'] ?? path.join(import.meta.dirname, '..', '.peers')
export const PEER_PATH = '/v1/chat/completions'

interface PeerPorts {
  readonly port: number
  /** Port for a peer that always opens one for its metrics. */
  readonly metrics: number
  readonly upstream: number
}

interface Peer {
  /** Program to run, relative to the folder of all peers. */
  readonly file: string
  readonly isScript?: true
  readonly args: (ports: PeerPorts, folder: string) => readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly key?: string
  /** True if its streams fail with this version of Node. */
  readonly failsStreams?: true
  readonly headers?: (upstream: number) => readonly string[]
}

const KEY = 'sk-bench-b1946ac92492d2347c6235b4d2611184'

const LITELLM_CONFIG = (upstream: number) => `model_list:
  - model_name: "*"
    litellm_params: { model: "openai/*", api_base: "http://127.0.0.1:${upstream}/v1", api_key: bench-key }
`

const PEERS: Readonly<Record<PeerName, Peer>> = {
  'vllm-router': {
    file: 'python/bin/vllm-router',
    args: ({ port, metrics, upstream }) => {
      const own = [
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        '--prometheus-port',
        String(metrics),
        '--log-level',
        'error',
      ]
      return [
        ...own,
        '--worker-urls',
        `http://127.0.0.1:${upstream}`,
        '--policy',
        'round_robin',
        '--worker-startup-check-interval',
        '1',
      ]
    },
  },
  litellm: {
    file: 'python/bin/litellm',
    args: ({ port, upstream }, folder) => {
      const config = path.join(folder, 'config.yaml')
      writeFileSync(config, LITELLM_CONFIG(upstream))
      return ['--config', config, '--host', '127.0.0.1', '--port', String(port)]
    },
    environment: {
      LITELLM_LOG: 'ERROR',
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      LITELLM_MASTER_KEY: KEY,
    },
    key: KEY,
  },
  portkey: {
    file: 'node/node_modules/@portkey-ai/gateway/build/start-server.js',
    isScript: true,
    failsStreams: true,
    args: ({ port }) => [`--port=${port}`, '--headless'],
    headers: (upstream) => [
      'x-portkey-provider: openai',
      `x-portkey-custom-host: http://127.0.0.1:${upstream}/v1`,
    ],
  },
}

/** Returns the peers that are installed here. */
export const installedPeers = (): PeerName[] =>
  (Object.keys(PEERS) as PeerName[]).filter((name) =>
    existsSync(path.join(PEERS_FOLDER, PEERS[name].file)),
  )

export const hasStreams = (name: string): boolean => !PEERS[name as PeerName]?.failsStreams

/**
 * Starts a peer on a core and waits until it accepts connections; returns null if it ends before,
 * after printing the reason.
 */
export async function startPeer(
  name: PeerName,
  upstream: number,
  core: number,
): Promise<RunningPeer | null> {
  const { file, isScript, args, environment, key = null, headers } = PEERS[name]
  const folder = mkdtempSync(path.join(tmpdir(), `bench-${name}-`))
  const [port, metrics] = [await freePort(), await freePort()]
  const program = path.join(PEERS_FOLDER, file)
  const words = args({ port, metrics, upstream }, folder)
  const command = isScript
    ? pinned(core, process.execPath, [program, ...words])
    : pinned(core, program, words)
  const child = spawn(...command, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: folder, ...environment },
  })
  const ended = once(child, 'exit').then(() => false)
  const isOpen = await Promise.race([ended, waitForPort(port, name).then(() => true)])
  if (!isOpen) return null
  return {
    pid: child.pid!,
    port,
    headers: headers?.(upstream) ?? [],
    key,
    async stop() {
      await stopProcess(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
