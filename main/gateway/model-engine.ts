import path from 'node:path'
import type { UtilityProcess } from 'electron'
import { z } from 'zod'
import { GatewayPrograms } from './gateway-programs.ts'

/**
 * Schema of requests from the gateway: starts a process that runs models or recognizes speech, or
 * stops one. `id` is chosen by the gateway.
 */
const requestSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('engine-start'),
    id: z.string().max(64),
    program: z.enum(['engine', 'speech']),
  }),
  z.object({ type: z.literal('engine-stop'), id: z.string().max(64) }),
])

/**
 * Maximum number of engine processes. For each program, a stopping process may still answer while
 * the next one starts.
 */
const MOST_ENGINES = 5

const NAMES = {
  engine: 'Chat Gateway model engine',
  speech: 'Chat Gateway speech engine',
} as const

/** Starts the engine processes for the packaged gateway. */
export function serveEngines(gateway: UtilityProcess, gatewayEntry: string): void {
  const folder = path.dirname(gatewayEntry)
  const engines = new GatewayPrograms(gateway, { kind: 'engine', most: MOST_ENGINES })
  gateway.on('message', (data: unknown) => {
    const request = requestSchema.safeParse(data).data
    if (request?.type === 'engine-start') {
      const { id, program } = request
      const file = path.join(folder, `${program}-program.js`)
      engines.start({ id, file, name: NAMES[program] })
    }
    if (request?.type === 'engine-stop') engines.stop(request.id)
  })
}
