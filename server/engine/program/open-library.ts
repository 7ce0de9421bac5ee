import nodeModule from 'node:module'
import { availableParallelism } from 'node:os'
import type * as Library from 'node-llama-cpp'
import type { Llama } from 'node-llama-cpp'
import { EngineFault } from './fault.ts'

/** The library with the binary that fits this computer. */
export interface OpenLibrary {
  readonly library: typeof Library
  readonly llama: Llama
}

/**
 * Leaves one core to the gateway. Threads of the engine spin while they wait for each other, so
 * that one thread more than there are free cores makes a token take seconds instead of
 * milliseconds.
 */
const threads = Math.max(1, availableParallelism() - 1)

let opened: Promise<OpenLibrary> | null = null
let usesGraphics = true

/** Sets whether the graphics processor may be used; called before the first request. */
export function chooseProcessor(isGraphics: boolean): void {
  usesGraphics = isGraphics
}

/**
 * @NOTE The library tests a binary in a separate process before it loads it. A utility process of
 *   Electron cannot start one, so the test is skipped. If this process crashes instead, the gateway
 *   restarts it.
 */
function skipTrial(): void {
  if (process.versions['electron'] === undefined) return
  nodeModule.registerHooks({
    load: (url, context, next) =>
      url.endsWith('/testBindingBinary.js')
        ? {
            format: 'module',
            source: 'export const testBindingBinary = async () => true',
            shortCircuit: true,
          }
        : next(url, context),
  })
}

async function open(): Promise<OpenLibrary> {
  try {
    skipTrial()
    const library = await import('node-llama-cpp')
    const llama = await library.getLlama({
      gpu: usesGraphics ? 'auto' : false,
      // Uses only what the package contains: nothing is built or downloaded on the user's computer.
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: library.LlamaLogLevel.error,
      logger: (_, message) => process.stderr.write(`${message}\n`),
      maxThreads: threads,
    })
    return { library, llama }
  } catch (error) {
    opened = null
    throw new EngineFault(
      500,
      'The engine that runs models does not start on the gateway’s computer.',
      error,
    )
  }
}

/** Loaded once, with the first call for a model. */
export const openLibrary = (): Promise<OpenLibrary> => (opened ??= open())
