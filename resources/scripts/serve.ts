// npm run serve: the gateway without a window.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './ensure-built.ts'
import { root } from './run-step.ts'

await ensureBuilt()
await import(pathToFileURL(path.join(root, 'out/server/index.js')).href)
