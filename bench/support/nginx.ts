import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort, waitForPort } from './ports.ts'
import { pinned, stopProcess } from './spawned.ts'

export interface Nginx {
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

const config = (folder: string, port: number, upstream: number) => `
daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log crit;
events { worker_connections 8192; }
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi; client_max_body_size 64m; client_body_buffer_size 1m;
  keepalive_requests 10000000; keepalive_timeout 300s;
  upstream model { server 127.0.0.1:${upstream}; keepalive 2048; keepalive_requests 10000000; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / { proxy_pass http://model; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; proxy_read_timeout 300s; }
  }
}`

/** Starts nginx as a plain proxy; null if it is not installed. */
export async function startNginx(upstream: number, core: number): Promise<Nginx | null> {
  if (spawnSync('nginx', ['-v']).status !== 0) return null
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-nginx-'))
  mkdirSync(path.join(folder, 'body'))
  const port = await freePort()
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(file, config(folder, port, upstream))
  const child = spawn(...pinned(core, 'nginx', ['-p', folder, '-c', file]), {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await waitForPort(port, 'nginx')
  return {
    pid: child.pid!,
    port,
    async stop() {
      await stopProcess(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
