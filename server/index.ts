// Entry point of the gateway: headless under Node, or as the child process of the desktop app.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { compileCacheFolder } from './config/compile-cache-folder.ts'
import { readEnvironment } from './config/env.ts'

const SETTLED_AFTER_MILLISECONDS = 1000

const environment = readEnvironment()
const cacheFolder = compileCacheFolder(environment)
if (cacheFolder !== null) enableCompileCache(cacheFolder)

// Loaded only now, so that the compile cache covers it.
const { runProcess } = await import('./process/run-process.ts')
await runProcess(environment)
// Deferred until after the start.
setTimeout(flushCompileCache, SETTLED_AFTER_MILLISECONDS).unref()
