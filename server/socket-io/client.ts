import type { IncomingMessage } from 'node:http'
import type { Socket } from 'socket.io'
import type { LiveCaller } from '../auth/index.ts'
import type { CallWait } from '../events/index.ts'

/** Packets a client may lag behind before texts are skipped, and before it is dropped. */
const SLOW_PACKETS = 16
const MOST_PACKETS = 1000

/** One socket of a client, signed in or not yet. */
export class Client {
  readonly socket: Socket
  #live: LiveCaller | null = null

  constructor(socket: Socket) {
    this.socket = socket
  }

  /** The session requests name. */
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

  /** Sends an event; one that a later one makes up for is skipped by a client that lags behind. */
  send(event: string, payload: unknown, { isReplaced = false } = {}): void {
    const waiting = this.#waiting()
    if (waiting > MOST_PACKETS) return void this.socket.disconnect(true)
    if (waiting <= SLOW_PACKETS || !isReplaced) this.socket.emit(event, payload)
  }

  /**
   * Asks the client and answers what it acknowledges with: nothing is null, several values are a
   * list.
   */
  ask(event: string, payload: unknown, { timeoutMs, signal }: CallWait): Promise<unknown> {
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
              ? reject(new Error('Nobody answered in time.'))
              : resolve(values.length > 1 ? values : (values[0] ?? null)),
          ),
        )
    })
  }

  #waiting(): number {
    return (this.socket.conn as unknown as { writeBuffer: unknown[] }).writeBuffer.length
  }
}
