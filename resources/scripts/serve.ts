// npm run serve: the gateway without a window.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './ensure-built.ts'
import { MEMORY_ENVIRONMENT, NODE_FLAGS, TRUST_ENVIRONMENT } from '../../main/gateway-flags.ts'
import { root } from './run-step.ts'

await ensureBuilt()
const entry = path.join(root, 'out/server/index.js')
// The gateway takes the place of this process, as flags and what the C library reads count only
// from the beginning of one.
if (process.platform !== 'win32' && process.execve)
  process.execve(process.execPath, [process.argv0, ...NODE_FLAGS, entry], {
    ...MEMORY_ENVIRONMENT,
    ...TRUST_ENVIRONMENT,
    ...process.env,
  })
await import(pathToFileURL(entry).href)
