import type { Exchange } from './fake-server.ts'
import { reply } from './fake-server.ts'

/** Models of a fake runtime and operations on them. */
export interface FakeModels {
  readonly names: string[]
  /** Handles calls that manage models; returns false for all others. */
  handle(exchange: Exchange): boolean
}

const PROGRESS = [
  { status: 'pulling manifest' },
  { status: 'downloading', digest: 'sha256:aa', total: 1000, completed: 400 },
  { status: 'downloading', digest: 'sha256:aa', total: 1000, completed: 1000 },
  { status: 'success' },
]

function streamProgress({ recorded, response }: Exchange, onDone: () => void): void {
  if (recorded.json?.['stream'] === false) {
    onDone()
    return reply(response, 200, { status: 'success' })
  }
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const lines = [...PROGRESS]
  const timer = setInterval(() => {
    const next = lines.shift()
    // As in a real runtime, the work is done when the last line is written, because some readers
    // stop there.
    if (lines.length === 0) onDone()
    if (next) return void response.write(`${JSON.stringify(next)}\n`)
    clearInterval(timer)
    response.end()
  }, 5)
  response.once('close', () => clearInterval(timer))
}

export function createFakeModels(initial: readonly string[]): FakeModels {
  const names = [...initial]
  const add = (name: unknown): void => {
    if (typeof name === 'string' && !names.includes(name)) names.push(name)
  }

  function change(exchange: Exchange): boolean {
    const { recorded, response } = exchange
    const model = String(recorded.json?.['model'] ?? recorded.json?.['source'])
    if (!names.includes(model)) {
      reply(response, 404, { error: `model '${model}' not found` })
      return true
    }
    if (recorded.path === '/api/push') streamProgress(exchange, () => {})
    else {
      if (recorded.path === '/api/copy') add(recorded.json?.['destination'])
      else names.splice(names.indexOf(model), 1)
      response.writeHead(200)
      response.end()
    }
    return true
  }

  const blobs = new Set<string>()

  return {
    names,
    handle(exchange) {
      const { recorded, response } = exchange
      const call = `${recorded.method} ${recorded.path}`
      if (call === 'POST /api/pull' || call === 'POST /api/create') {
        streamProgress(exchange, () => add(recorded.json?.['model']))
        return true
      }
      if (recorded.method === 'HEAD' && recorded.path.startsWith('/api/blobs/')) {
        response.writeHead(blobs.has(recorded.path) ? 200 : 404)
        response.end()
        return true
      }
      if (recorded.method === 'POST' && recorded.path.startsWith('/api/blobs/sha256:')) {
        blobs.add(recorded.path)
        response.writeHead(201)
        response.end()
        return true
      }
      return call === 'POST /api/push' || call === 'POST /api/copy' || call === 'DELETE /api/delete'
        ? change(exchange)
        : false
    },
  }
}
