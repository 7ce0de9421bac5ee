import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { readProgram } from '../../../config/program.ts'
import { workerFile } from '../../../config/worker-file.ts'
import type { EmbeddingEngine } from '../engine.ts'
import { DIMENSIONS, type EmbedReply, type EmbedRequest } from './messages.ts'

/**
 * Changes whenever the same text would get another vector; a test compares it with the engine's
 * output.
 */
export const BUILT_IN_ENGINE_ID = 'built-in-1'
/** Texts may have any length; this value does not restrict any size the settings allow. */
const MAXIMUM_TOKENS = 16_384
/** Number of texts per message: small enough that a stop takes effect within some 50 ms. */
const BATCH = 32
/** Idle time in milliseconds after which the thread ends and frees its memory. */
const REST = 60_000

/** Path of the engine's lexicon, one meaning per line. */
export const lexiconFile = (): string =>
  path.join(readProgram().folder, 'resources', 'embedding', 'lexicon.txt')

interface Waiting {
  resolve(vectors: Float32Array[]): void
  reject(reason: Error): void
}

/** One thread, started with the first text and ended after an idle time. */
class EmbeddingThread {
  private worker: Worker | null = null
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0
  private rest: NodeJS.Timeout | undefined

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    clearTimeout(this.rest)
    const worker = (this.worker ??= this.start())
    const request: EmbedRequest = { id: ++this.lastId, texts }
    return new Promise((resolve, reject) => {
      this.waiting.set(request.id, { resolve, reject })
      worker.postMessage(request)
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.rest)
    const { worker } = this
    this.worker = null
    this.fail(new Error('The built-in embedding engine was closed.'))
    await worker?.terminate()
  }

  private start(): Worker {
    const worker = new Worker(workerFile(import.meta.dirname, 'embed-worker'), {
      workerData: readFileSync(lexiconFile(), 'utf8'),
      execArgv: [],
    })
    worker.unref()
    worker.on('message', (reply: EmbedReply) => this.take(reply))
    worker.once('error', (error) => this.end(worker, error))
    worker.once('exit', (code) =>
      this.end(worker, new Error(`The built-in embedding engine ended early with code ${code}.`)),
    )
    return worker
  }

  private take({ id, vectors }: EmbedReply): void {
    this.waiting.get(id)?.resolve([...vectors])
    this.waiting.delete(id)
    if (this.waiting.size === 0) this.rest = setTimeout(() => void this.close(), REST).unref()
  }

  private end(worker: Worker, reason: Error): void {
    if (this.worker !== worker) return
    this.worker = null
    this.fail(reason)
  }

  private fail(reason: Error): void {
    for (const waiting of this.waiting.values()) waiting.reject(reason)
    this.waiting.clear()
  }
}

/**
 * Creates the engine that needs no installation and no network: letters, words and a lexicon of
 * meanings in six languages, in a thread.
 */
export function createBuiltInEngine(): EmbeddingEngine & { close(): Promise<void> } {
  const thread = new EmbeddingThread()
  return {
    id: BUILT_IN_ENGINE_ID,
    dimensions: DIMENSIONS,
    maximumTokens: MAXIMUM_TOKENS,
    async embed(texts, _kind, signal) {
      const vectors: Float32Array[] = []
      for (let start = 0; start < texts.length; start += BATCH) {
        signal.throwIfAborted()
        vectors.push(...(await thread.embed(texts.slice(start, start + BATCH))))
      }
      signal.throwIfAborted()
      return vectors
    },
    close: () => thread.close(),
  }
}
