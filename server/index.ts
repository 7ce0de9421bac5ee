// Entry of the gateway: headless under Node, or as the child of the desktop app.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { compileCacheFolder } from './config/compile-cache-folder.ts'
import { readEnvironment } from './config/env.ts'

const SETTLED_AFTER_MILLISECONDS = 1000

const environment = readEnvironment()
const cacheFolder = compileCacheFolder(environment)
if (cacheFolder !== null) enableCompileCache(cacheFolder)

// Loaded only now, so that the cache covers it.
const { runProcess } = await import('./process/run-process.ts')
await runProcess(environment)
// What can wait until the start is over.
setTimeout(flushCompileCache, SETTLED_AFTER_MILLISECONDS).unref()
