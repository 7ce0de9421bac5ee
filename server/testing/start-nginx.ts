import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const TEMPLATE = path.resolve(import.meta.dirname, '../../resources/deploy/nginx/chat-gateway.conf')
const PARTS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
const SERVERS = /( *server )gateway-1:8642( [^;]*;)\n *server gateway-2:8642 [^;]*;/
const START_LIMIT_MILLISECONDS = 10_000

/** True if the machine has nginx. */
export const hasNginx = spawnSync('nginx', ['-v']).status === 0

interface NginxPlace {
  readonly port: number
  /** URLs of the gateways behind it. */
  readonly gateways: readonly string[]
}

/** Returns the shipped configuration with other addresses. */
function configure(folder: string, { port, gateways }: NginxPlace): string {
  const site = readFileSync(TEMPLATE, 'utf8')
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace(SERVERS, (_, before: string, after: string) =>
      gateways.map((url) => `${before}${new URL(url).host}${after}`).join('\n'),
    )
  const temporary = PARTS.map((part) => `${part}_temp_path ${folder}/${part};`).join(' ')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `daemon off; pid ${folder}/pid; error_log stderr error; ${user}
events { worker_connections 4096; }
http { access_log off; ${temporary}
${site}
}`
}

export interface Nginx {
  readonly url: string
  close(): Promise<void>
}

async function untilThere(url: string): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MILLISECONDS
  for (;;) {
    try {
      await (await fetch(`${url}/nginx-health`)).text()
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(50)
    }
  }
}

/** Starts nginx with the shipped configuration in front of gateways. Requires `hasNginx`. */
export async function startNginx(place: NginxPlace): Promise<Nginx> {
  const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-nginx-'))
  for (const part of PARTS) mkdirSync(path.join(folder, part))
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(file, configure(folder, place))
  const nginx = spawn('nginx', ['-p', folder, '-c', file], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const url = `http://127.0.0.1:${place.port}`
  await untilThere(url)
  return {
    url,
    async close() {
      const ended = once(nginx, 'exit')
      nginx.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
