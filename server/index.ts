// Entry of the gateway: headless under Node, or as the child of the desktop app.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { compileCacheFolder } from './config/compile-cache-folder.ts'
import { readEnvironment } from './config/env.ts'

const environment = readEnvironment()
const cacheFolder = compileCacheFolder(environment)
if (cacheFolder !== null) enableCompileCache(cacheFolder)

// Loaded only now, so that the cache covers it.
const { runProcess } = await import('./run-process.ts')
await runProcess(environment)
setTimeout(flushCompileCache, 1000).unref()

// Left to itself, Node lets the space for young objects grow to 128 MB under load and never gives it back; here it keeps
// the size the start needed. Said at run time, because Electron hands no such flag to its utility processes.
setFlagsFromString('--semi-space-growth-factor=1')
