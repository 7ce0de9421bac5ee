import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { CallWait } from '../../lib/outgoing/call-wait.ts'
import { createServer } from '../../lib/serving/node-http.ts'
import { readCall, sendJson, sendLine, type EngineCall } from './call.ts'
import { EngineFault, toFault } from './fault.ts'
import { LoadedModels } from './loaded-models.ts'
import { serveAnswer, serveVectors } from './native-routes.ts'
import { FORGET_PATH } from './protocol.ts'
import { serveRanking } from './rank-route.ts'
import { serveText } from './text-route.ts'

/** The process ends after this time without a model in memory. */
const IDLE_MILLISECONDS = 60_000

const ROUTES: Readonly<Record<string, (models: LoadedModels, call: EngineCall) => Promise<void>>> =
  {
    '/api/chat': (models, call) => serveAnswer(models, call, 'chat'),
    '/api/generate': (models, call) => serveAnswer(models, call, 'prompt'),
    '/api/embed': (models, call) => serveVectors(models, call, false),
    '/api/embeddings': (models, call) => serveVectors(models, call, true),
    '/v1/completions': serveText,
    '/v1/rerank': serveRanking,
  }

function isAllowed(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Sends an error as the response head, or as the last line if the response has started. */
function tellFault(response: ServerResponse, error: unknown): void {
  const { status, message, cause } = toFault(error)
  if (cause instanceof Error) process.stderr.write(`${cause.stack ?? cause.message}\n`)
  if (!response.headersSent) return sendJson(response, status, { error: message })
  sendLine(response, { error: message })
  response.end()
}

interface EngineListeners {
  /** Called when no model has been in memory for a while. */
  readonly onIdle: () => void
  /** Called with the id of a call while it waits. */
  readonly onWait: (call: string, wait: CallWait) => void
}

/** Creates the server, which only the gateway that started this process may call. */
export function createEngineServer(token: string, { onIdle, onWait }: EngineListeners): Server {
  let open = 0
  let timer: NodeJS.Timeout | undefined
  const models = new LoadedModels(() => restIfIdle())
  function restIfIdle(): void {
    clearTimeout(timer)
    if (open === 0 && models.isEmpty) timer = setTimeout(onIdle, IDLE_MILLISECONDS)
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isAllowed(request, token)) throw new EngineFault(401, 'This is not for you.')
    const { pathname } = new URL(request.url ?? '/', 'http://engine')
    if (pathname === '/api/ps') return sendJson(response, 200, { models: models.list() })
    const serve = ROUTES[pathname]
    if (!serve && pathname !== FORGET_PATH)
      throw new EngineFault(404, 'The engine does not have this.')
    const call = await readCall(request, response, onWait)
    if (serve) return serve(models, call)
    await models.forget(call.file.path)
    return sendJson(response, 200, {})
  }
  const server = createServer((request, response) => {
    open += 1
    clearTimeout(timer)
    answer(request, response)
      .catch((error: unknown) => {
        if (!response.destroyed) tellFault(response, error)
      })
      .finally(() => {
        open -= 1
        restIfIdle()
      })
  })
  restIfIdle()
  return server
}
