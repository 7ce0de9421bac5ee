import type { ServerResponse } from 'node:http'

/** Writes frames of server-sent events to one reader. */
export interface SseWriter {
  /** True once the head has gone out and the status can no longer change. */
  readonly hasBegun: boolean
  /** True once nothing more can reach the reader. */
  readonly isGone: boolean
  /** False when the reader lags behind; `drained` says when it has caught up. */
  send(frame: string): boolean
  /**
   * Resolves when the reader has caught up or is gone; a reader that takes nothing for a minute is
   * dropped.
   */
  drained(): Promise<void>
  /**
   * For an answer that waits for no reader: null unless its reader lags far behind. Even one that
   * reads on does when much comes at once, so that it has a moment to catch up; then it is let go.
   */
  caughtUp(): Promise<void> | null
  /** Ends the reply, with a last frame where there is one. */
  end(frame?: string): void
  /** Lets go of a reader that cannot keep up. */
  drop(): void
}

const KEEP_ALIVE_MS = 15_000
const STALLED_MS = 60_000
/**
 * How far the reader of an answer that waits for nobody may lag behind, and how long it has to
 * catch up from there.
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
 * A class, because one is made for every stream; a getter on an object of its own would keep all of
 * it until a full collection.
 */
class ResponseWriter implements SseWriter {
  readonly #response: ServerResponse
  readonly #timer: NodeJS.Timeout
  #isDraining = true

  constructor(response: ServerResponse, keepAlive: () => string) {
    this.#response = response
    const timer = setTimeout(() => {
      // A reader that lags behind has something to read, and may be in the middle of an event.
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
    // An answer that came all at once needs no chunks.
    const bytes = Buffer.from(frame)
    response.writeHead(200, { ...HEAD, 'Content-Length': bytes.length })
    response.end(bytes)
  }

  drop(): void {
    this.#response.destroy()
  }
}

/**
 * `keepAlive` makes what a line that was silent for a while gets; a comment, unless the dialect has
 * an event for it.
 */
export const createSseWriter = (
  response: ServerResponse,
  keepAlive: () => string = () => KEEP_ALIVE_COMMENT,
): SseWriter => new ResponseWriter(response, keepAlive)
