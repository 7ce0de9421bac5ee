import type { ServerResponse } from 'node:http'
import type { RequestRecord } from '#contract/requests.ts'
import type { Auth } from '../auth/index.ts'

const KEEP_ALIVE_MS = 15_000
/** A reader that lags this far behind is disconnected; it can reconnect with `after`. */
const LARGEST_BACKLOG = 1024 * 1024
const HEAD = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}

/** The live readers of the log. */
export interface Streams {
  /** Starts an event stream; returns the function that sends a record. */
  open(
    response: ServerResponse,
    options: { userId: string; onClose: () => void },
  ): (record: RequestRecord) => void
  close(): void
}

/**
 * Streams end when the client disconnects, when a credential of their reader is revoked, and when
 * the gateway stops.
 */
export function createStreams(auth: Auth): Streams {
  const readers = new Map<ServerResponse, string>()
  auth.onRevoked(async (userId) => {
    for (const [response, reader] of readers) if (reader === userId) response.end()
  })
  return {
    open(response, { userId, onClose }) {
      response.writeHead(200, HEAD)
      response.write(': the calls follow as they end\n\n')
      readers.set(response, userId)
      const timer = setInterval(() => response.write(': keep-alive\n\n'), KEEP_ALIVE_MS).unref()
      response.once('close', () => {
        clearInterval(timer)
        readers.delete(response)
        onClose()
      })
      return (record) => {
        if (response.writableEnded || response.destroyed) return
        response.write(`id: ${record.seq}\ndata: ${JSON.stringify(record)}\n\n`)
        if (response.writableLength > LARGEST_BACKLOG) response.destroy()
      }
    },
    close: () => {
      for (const response of readers.keys()) response.end()
    },
  }
}
