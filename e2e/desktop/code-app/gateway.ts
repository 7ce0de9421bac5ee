// Stands for the packed gateway: a utility process that may not start processes and runs code in
// windows of the app. It serves the UI, as those windows load their document from it.
import { createServer, type ServerResponse } from 'node:http'
import { createUiFiles } from '../../../server/http/ui-files.ts'
import { Packages } from '../../../server/code/packages.ts'
import { choosePlaces } from '../../../server/code/runner/places.ts'
import { Runners } from '../../../server/code/runner/runners.ts'
import { runtimeFolder } from '../../../server/code/runner/start-runner.ts'
import { createLogger } from '../../../server/lib/logger.ts'
import { settingsOf } from '../../../server/testing/settings-of.ts'
import type { CodeOrder, CodeReply } from './orders.ts'

interface AppPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

const [uiFolder, packagesFolder] = process.argv.slice(-2) as [string, string]
const port = (process as typeof process & { parentPort: AppPort }).parentPort
const limits = { CODE_PROCESS_LIMIT: 4, CODE_MEMORY_LIMIT: 256, CODE_IDLE_TIMEOUT: 600 }
const packages = new Packages({
  runtimeFolder: runtimeFolder(),
  folder: packagesFolder,
  source: () => '',
  refusal: () => null,
  fetch: () => Promise.reject(new Error('There is no network here.')),
  log: createLogger('silent'),
})
const places = choosePlaces({
  fence: { canStartAlone: async () => false, startAlone: async () => null },
  packages,
  mode: () => 'fenced',
})
const runners = new Runners({ settings: settingsOf(limits), start: places.start })
const stops = new Map<string, AbortController>()

async function run({ id, userId, chatId, code, files, seconds }: CodeOrder): Promise<CodeReply> {
  const refusal = await places.refusal()
  if (refusal !== null) return { id, kind: 'refused', reason: refusal, files: {} }
  const stop = new AbortController()
  stops.set(id, stop)
  const cell = {
    id,
    code,
    outputLimit: 64 * 1024,
    fileLimit: 1024 * 1024,
    files: Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    timeoutMs: seconds * 1000,
  }
  const options = { signal: stop.signal, onPhase: () => undefined }
  const outcome = await runners.run({ userId, chatId }, cell, options)
  if (outcome.kind !== 'result') return { id, ...outcome, files: {} }
  const given = [...outcome.files].map(([name, bytes]) => [name, bytes.toString()])
  return { ...outcome, id, files: Object.fromEntries(given) as Record<string, string> }
}

port.on('message', ({ data }) => {
  const order = data as Partial<CodeOrder> & { type?: string; id: string }
  if (order.type === 'run')
    void run(order as CodeOrder).then((reply) => port.postMessage({ type: 'ran', reply }))
  if (order.type === 'stop') stops.get(order.id)?.abort()
  if (order.type === 'forget') void runners.forget({ userId: order.userId!, chatId: order.chatId! })
})

const ui = createUiFiles(uiFolder, { networkOf: () => [] })
/** Requests to this gateway, with their cookies. */
const asked: string[] = []
const server = createServer((request, response: ServerResponse) => {
  const url = request.url ?? '/'
  asked.push(`${url} ${request.headers.cookie ?? ''}`.trim())
  if (url === '/health') response.end('ok')
  else if (url === '/asked') response.end(JSON.stringify(asked))
  else if (!ui.serve(request, response)) response.writeHead(404).end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address() as { port: number }
  const url = `http://127.0.0.1:${address.port}`
  port.postMessage({ type: 'ready', url, port: address.port })
})
