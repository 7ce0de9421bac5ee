import type { ServerResponse } from 'node:http'
import type { FileNews } from '#contract/files.ts'
import type { ProgressBoard } from './progress.ts'

/** Comment lines keep proxies from closing an idle stream. */
const KEEP_ALIVE_MILLISECONDS = 15_000
/** Equal to the limit of the reference system. */
const LONGEST_MILLISECONDS = 2 * 60 * 60 * 1000

const isLast = ({ status }: FileNews): boolean => status !== 'pending'

export interface StatusStreams {
  readonly board: ProgressBoard
  /** Functions that end the open streams. */
  readonly streams: Set<() => void>
  /**
   * Resolves with the state of a file that another gateway may be reading, once it has been read.
   */
  readonly readElsewhere: ((fileId: string) => Promise<FileNews>) | null
}

/** Sends the state of a file on every change as server-sent events, until it is final. */
export function streamStatus(
  response: ServerResponse,
  first: FileNews,
  { board, streams, readElsewhere }: StatusStreams,
): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
  const keepAlive = setInterval(
    () => response.write(': still here\n\n'),
    KEEP_ALIVE_MILLISECONDS,
  ).unref()
  const limit = setTimeout(end, LONGEST_MILLISECONDS).unref()
  const unwatch = board.watch(first.id, send)

  function stop(): void {
    clearInterval(keepAlive)
    clearTimeout(limit)
    unwatch()
    streams.delete(end)
  }
  function end(): void {
    stop()
    response.end()
  }
  function send(news: FileNews): void {
    const { status, error, progress } = news
    response.write(`data: ${JSON.stringify({ status, error, progress })}\n\n`)
    if (isLast(news)) end()
  }
  response.once('close', stop)
  streams.add(end)
  send(first)
  if (response.writableEnded || !readElsewhere) return
  readElsewhere(first.id).then(
    (news) => void (response.writableEnded || send(news)),
    // The client asks again.
    end,
  )
}
