import nodeModule from 'node:module'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import type * as Library from 'node-llama-cpp'
import type { Llama, LlamaOptions } from 'node-llama-cpp'
import { EngineFault } from './fault.ts'
import type { EngineOrder } from './protocol.ts'

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

type Processors = Pick<Extract<EngineOrder, { type: 'start' }>, 'usesGraphics' | 'cudaPackages'>

let processors: Processors = { usesGraphics: true, cudaPackages: {} }
let tellOpened: (usesCuda: boolean) => void = () => undefined

/**
 * Sets which processors may be used; called before the first request. `onOpened` is told whether
 * the library uses CUDA.
 */
export function chooseProcessor(
  chosen: Processors,
  onOpened: (usesCuda: boolean) => void = () => undefined,
): void {
  processors = chosen
  tellOpened = onOpened
}

/** Has the library find downloaded packages, which it imports by their names. */
function offerPackages({ cudaPackages }: Processors): void {
  nodeModule.registerHooks({
    resolve(name, context, next) {
      const file = Object.hasOwn(cudaPackages, name) ? cudaPackages[name] : undefined
      return file === undefined
        ? next(name, context)
        : { url: pathToFileURL(file).href, format: 'module', shortCircuit: true }
    },
  })
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

/**
 * Prefers downloaded packages for CUDA, also where the library does not detect CUDA by itself.
 * Without a card, driver or runtime that fits them, it chooses as if they were not there.
 */
async function openLlama(library: typeof Library, options: LlamaOptions): Promise<Llama> {
  const { usesGraphics, cudaPackages } = processors
  if (!usesGraphics) return library.getLlama({ ...options, gpu: false })
  if (Object.keys(cudaPackages).length > 0) {
    offerPackages(processors)
    try {
      const llama = await library.getLlama({ ...options, gpu: 'cuda' })
      // Without the test of the binary, it is loaded without the part for the card.
      if (llama.gpu === 'cuda') return llama
      await llama.dispose()
    } catch (error) {
      process.stderr.write(`CUDA is not usable: ${String(error)}\n`)
    }
  }
  return library.getLlama({ ...options, gpu: 'auto' })
}

async function open(): Promise<OpenLibrary> {
  try {
    skipTrial()
    const library = await import('node-llama-cpp')
    const options: LlamaOptions = {
      // Uses only what the package contains: nothing is built or downloaded on the user's computer.
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: library.LlamaLogLevel.error,
      logger: (_, message) => process.stderr.write(`${message}\n`),
      maxThreads: threads,
    }
    const llama = await openLlama(library, options)
    tellOpened(llama.gpu === 'cuda')
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
