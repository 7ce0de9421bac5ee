// npm run serve: starts the headless gateway.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './ensure-built.ts'
import {
  MEMORY_ENVIRONMENT,
  NODE_FLAGS,
  TRUST_ENVIRONMENT,
} from '../../main/gateway/gateway-flags.ts'
import { root } from './run-step.ts'

await ensureBuilt()
const entry = path.join(root, 'out/server/index.js')
// Replaces this process by the gateway, since Node flags and the variables read by the C library
// take effect only at the start of a process.
if (process.platform !== 'win32' && process.execve)
  process.execve(process.execPath, [process.argv0, ...NODE_FLAGS, entry], {
    ...MEMORY_ENVIRONMENT,
    ...TRUST_ENVIRONMENT,
    ...process.env,
  })
await import(pathToFileURL(entry).href)
