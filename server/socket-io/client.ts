import type { IncomingMessage } from 'node:http'
import type { Socket } from 'socket.io'
import type { LiveCaller } from '../auth/index.ts'
import type { AnswerWait } from '../events/index.ts'

/**
 * Numbers of unsent packets at which texts are skipped, and at which the client is disconnected.
 */
const SLOW_PACKETS = 16
const MOST_PACKETS = 1000

/** One socket of a client, signed in or not. */
export class Client {
  readonly socket: Socket
  #live: LiveCaller | null = null

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** Session id used in requests. */
  get sessionId(): string {
    return this.socket.id
  }

  get live(): LiveCaller | null {
    return this.#live
  }

  get request(): IncomingMessage {
    return this.socket.request
  }

  signIn(live: LiveCaller): void {
    this.#live = live
  }

  /**
   * Sends an event; one that is superseded by a later one is skipped for a client that lags behind.
   */
  send(event: string, payload: unknown, { isReplaced = false } = {}): void {
    const waiting = this.#waiting()
    if (waiting > MOST_PACKETS) return void this.socket.disconnect(true)
    if (waiting <= SLOW_PACKETS || !isReplaced) this.socket.emit(event, payload)
  }

  /**
   * Sends a request to the client and resolves with its acknowledgement: no value is null, several
   * values are a list.
   */
  ask(event: string, payload: unknown, { timeoutMs, signal }: AnswerWait): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        this.socket.off('disconnect', leave)
        signal?.removeEventListener('abort', stop)
        settle()
      }
      const leave = () => end(() => resolve({ error: 'Client session disconnected.' }))
      const stop = () => end(() => reject(new Error('The call was stopped.')))
      if (signal?.aborted) return stop()
      this.socket.once('disconnect', leave)
      signal?.addEventListener('abort', stop, { once: true })
      this.socket
        .timeout(timeoutMs)
        .emit(event, payload, (late: Error | null, ...values: readonly unknown[]) =>
          end(() =>
            late
              ? reject(new Error('No window answered in time.'))
              : resolve(values.length > 1 ? values : (values[0] ?? null)),
          ),
        )
    })
  }

  #waiting(): number {
    return (this.socket.conn as unknown as { writeBuffer: unknown[] }).writeBuffer.length
  }
}
