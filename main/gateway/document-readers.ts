import path from 'node:path'
import { MessageChannelMain, utilityProcess, type UtilityProcess } from 'electron'
import { z } from 'zod'
import { BARE_ENVIRONMENT } from './gateway-flags.ts'

/**
 * Request of the gateway: to start a document reader process, or to end one. `id` is assigned by
 * the gateway.
 */
const requestSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('reader-start'), id: z.string().max(64) }),
  z.object({ type: z.literal('reader-stop'), id: z.string().max(64) }),
])

/** Limit of the JavaScript heap; the reader exits by itself if it uses too much other memory. */
const HEAP_MEBIBYTES = 320
const MOST_READERS = 8

/**
 * Starts document reader processes for the packaged gateway, which cannot start processes itself.
 * They receive no environment, and a port to the gateway that bypasses this process.
 */
export function serveReaders(gateway: UtilityProcess, gatewayEntry: string): void {
  const program = path.join(path.dirname(gatewayEntry), 'extraction-worker.js')
  const readers = new Map<string, UtilityProcess>()

  function start(id: string): void {
    if (readers.has(id) || readers.size >= MOST_READERS)
      return gateway.postMessage({ type: 'reader-ended', id, code: null })
    const reader = utilityProcess.fork(program, [], {
      serviceName: 'Chat Gateway document reader',
      env: BARE_ENVIRONMENT,
      stdio: 'ignore',
      execArgv: [`--max-old-space-size=${HEAP_MEBIBYTES}`],
    })
    readers.set(id, reader)
    reader.once('exit', (code) => {
      readers.delete(id)
      gateway.postMessage({ type: 'reader-ended', id, code })
    })
    const { port1, port2 } = new MessageChannelMain()
    reader.postMessage({ type: 'line' }, [port1])
    gateway.postMessage({ type: 'reader-line', id }, [port2])
  }

  const stop = (reader: UtilityProcess | undefined): void => {
    if (reader?.pid !== undefined) process.kill(reader.pid, 'SIGKILL')
  }

  gateway.on('message', (data: unknown) => {
    const request = requestSchema.safeParse(data).data
    if (request?.type === 'reader-start') start(request.id)
    if (request?.type === 'reader-stop') stop(readers.get(request.id))
  })
  gateway.once('exit', () => {
    for (const reader of readers.values()) stop(reader)
  })
}
