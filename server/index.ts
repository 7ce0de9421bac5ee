// Entry of the gateway: headless under Node, or as the child of the desktop app.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { compileCacheFolder } from './config/compile-cache-folder.ts'
import { readEnvironment } from './config/env.ts'

const SETTLED_AFTER_MILLISECONDS = 1000

const environment = readEnvironment()
const cacheFolder = compileCacheFolder(environment)
if (cacheFolder !== null) enableCompileCache(cacheFolder)

// Loaded only now, so that the cache covers it.
const { runProcess } = await import('./run-process.ts')
await runProcess(environment)
setTimeout(settle, SETTLED_AFTER_MILLISECONDS).unref()

/** What can wait until the start is over. */
function settle(): void {
  flushCompileCache()
  // Left to itself, Node lets the space for young objects grow to 128 MB under load and never gives it back; here it keeps
  // the size the start needed. Said at run time, because Electron hands no such flag to its utility processes.
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1')
}
