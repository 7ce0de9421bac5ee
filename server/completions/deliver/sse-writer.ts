import type { ServerResponse } from 'node:http'

/** Writes frames of server-sent events to one reader. */
export interface SseWriter {
  /** True once the headers have been sent and the status can no longer change. */
  readonly hasBegun: boolean
  /** True once nothing can reach the reader any more. */
  readonly isGone: boolean
  /** Returns false if the reader lags behind; `drained` then reports when it has caught up. */
  send(frame: string): boolean
  /**
   * Resolves when the reader has caught up or is gone; a reader that accepts nothing for a minute
   * is disconnected.
   */
  drained(): Promise<void>
  /**
   * Returns null unless the reader lags far behind, for an answer that does not wait for its
   * reader. Since an active reader may also lag when much arrives at once, it gets a moment to
   * catch up before it is disconnected.
   */
  caughtUp(): Promise<void> | null
  /** Ends the reply, with an optional last frame. */
  end(frame?: string): void
  /** Disconnects a reader that cannot keep up. */
  drop(): void
}

const KEEP_ALIVE_MS = 15_000
const STALLED_MS = 60_000
/**
 * Maximum backlog of the reader of an answer that waits for no reader, and the time it has to catch
 * up from there.
 */
const MAX_BACKLOG_BYTES = 1024 * 1024
const CATCH_UP_MS = 1000
const KEEP_ALIVE_COMMENT = ': keep-alive\n\n'
const HEAD = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}

/**
 * A class, because one is created for every stream; a getter on a plain object would keep all of it
 * in memory until a full garbage collection.
 */
class ResponseWriter implements SseWriter {
  readonly #response: ServerResponse
  readonly #timer: NodeJS.Timeout
  #isDraining = true

  constructor(response: ServerResponse, keepAlive: () => string) {
    this.#response = response
    const timer = setTimeout(() => {
      // A reader that lags behind still has data to read, and may be in the middle of an event.
      if (response.writableNeedDrain) timer.refresh()
      else this.send(keepAlive())
    }, KEEP_ALIVE_MS).unref()
    this.#timer = timer
    response.once('close', () => clearTimeout(timer))
  }

  get hasBegun(): boolean {
    return this.#response.headersSent
  }

  get isGone(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }

  send(frame: string): boolean {
    const response = this.#response
    if (this.isGone) return true
    this.#timer.refresh()
    if (!response.headersSent) response.writeHead(200, HEAD)
    this.#isDraining = response.write(frame)
    return this.#isDraining
  }

  drained(): Promise<void> {
    return this.#isDraining || this.#response.destroyed
      ? Promise.resolve()
      : this.#waitForReader(STALLED_MS)
  }

  caughtUp(): Promise<void> | null {
    return this.#response.writableLength <= MAX_BACKLOG_BYTES || this.isGone
      ? null
      : this.#waitForReader(CATCH_UP_MS)
  }

  #waitForReader(milliseconds: number): Promise<void> {
    const response = this.#response
    return new Promise((resolve) => {
      const stalled = setTimeout(() => response.destroy(), milliseconds)
      const finish = () => {
        clearTimeout(stalled)
        response.off('drain', finish)
        response.off('close', finish)
        resolve()
      }
      response.once('drain', finish)
      response.once('close', finish)
    })
  }

  end(frame?: string): void {
    const response = this.#response
    clearTimeout(this.#timer)
    if (frame === undefined || response.headersSent) {
      response.end(frame)
      return
    }
    // An answer that is sent in one piece needs no chunked encoding.
    const bytes = Buffer.from(frame)
    response.writeHead(200, { ...HEAD, 'Content-Length': bytes.length })
    response.end(bytes)
  }

  drop(): void {
    this.#response.destroy()
  }
}

/**
 * Creates a writer. `keepAlive` returns the text sent on an idle connection; a comment, unless the
 * dialect has an event for it.
 */
export const createSseWriter = (
  response: ServerResponse,
  keepAlive: () => string = () => KEEP_ALIVE_COMMENT,
): SseWriter => new ResponseWriter(response, keepAlive)
