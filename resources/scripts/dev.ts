// npm run dev: restarts the gateway on every change of its sources, and serves the UI with hot
// reload in front of it.
import { spawn } from 'node:child_process'
import { createServer } from 'vite'
import path from 'node:path'
import { root, toolEnvironment } from './run-step.ts'

const GATEWAY_PORT = process.env['PORT'] ?? '8642'
const gateway = spawn('node', ['--watch', '--watch-preserve-output', 'server/index.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: toolEnvironment({
    ENV: 'dev',
    PORT: GATEWAY_PORT,
    CORS_ALLOW_ORIGIN: 'http://localhost:5173',
  }),
})
const stop = () => gateway.kill('SIGTERM')
process.once('SIGINT', stop).once('SIGTERM', stop)
gateway.once('exit', (code) => process.exit(code ?? 0))

const ui = await createServer({
  configFile: path.join(root, 'renderer/vite.config.ts'),
  server: { port: 5173, strictPort: true },
})
await ui.listen()
ui.printUrls()
