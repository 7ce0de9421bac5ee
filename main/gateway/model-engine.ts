import path from 'node:path'
import { MessageChannelMain, utilityProcess, type UtilityProcess } from 'electron'
import { z } from 'zod'
import { BARE_ENVIRONMENT } from './gateway-flags.ts'

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

/**
 * Starts the engine processes for the packaged gateway, which cannot start any itself. They get no
 * environment, and a connection to the gateway that does not pass through this process.
 */
export function serveEngines(gateway: UtilityProcess, gatewayEntry: string): void {
  const folder = path.dirname(gatewayEntry)
  const engines = new Map<string, UtilityProcess>()

  function start(id: string, program: keyof typeof NAMES): void {
    if (engines.has(id) || engines.size >= MOST_ENGINES)
      return gateway.postMessage({ type: 'engine-ended', id, code: null })
    const engine = utilityProcess.fork(path.join(folder, `${program}-program.js`), [], {
      serviceName: NAMES[program],
      env: BARE_ENVIRONMENT,
      stdio: 'ignore',
    })
    engines.set(id, engine)
    engine.once('exit', (code) => {
      engines.delete(id)
      gateway.postMessage({ type: 'engine-ended', id, code })
    })
    const { port1, port2 } = new MessageChannelMain()
    engine.postMessage({ type: 'line' }, [port1])
    gateway.postMessage({ type: 'engine-line', id }, [port2])
  }

  const stop = (engine: UtilityProcess | undefined): void => {
    if (engine?.pid !== undefined) process.kill(engine.pid, 'SIGKILL')
  }

  gateway.on('message', (data: unknown) => {
    const request = requestSchema.safeParse(data).data
    if (request?.type === 'engine-start') start(request.id, request.program)
    if (request?.type === 'engine-stop') stop(engines.get(request.id))
  })
  gateway.once('exit', () => {
    for (const engine of engines.values()) stop(engine)
  })
}
