import path from 'node:path'
import type { UtilityProcess } from 'electron'
import { z } from 'zod'
import { GatewayPrograms } from './gateway-programs.ts'

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

const NAME = 'Chat Gateway document reader'

/** Starts document reader processes for the packaged gateway. */
export function serveReaders(gateway: UtilityProcess, gatewayEntry: string): void {
  const file = path.join(path.dirname(gatewayEntry), 'extraction-worker.js')
  const flags = [`--max-old-space-size=${HEAP_MEBIBYTES}`]
  const readers = new GatewayPrograms(gateway, { kind: 'reader', most: MOST_READERS })
  gateway.on('message', (data: unknown) => {
    const request = requestSchema.safeParse(data).data
    if (request?.type === 'reader-start') readers.start({ id: request.id, file, name: NAME, flags })
    if (request?.type === 'reader-stop') readers.stop(request.id)
  })
}
