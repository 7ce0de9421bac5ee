import type { Socket } from 'node:net'
import type { ClientOptions, RawData, WebSocket } from 'ws'
import { openConnection } from './connector.ts'
import { toError } from './paced-delivery.ts'
import { because, type Purpose } from './purpose.ts'

/** WebSocket to a URL set by an administrator. */
export interface OutgoingSocket {
  /** Yields its messages; ends when the server closes, and fails when the connection breaks. */
  messages(): AsyncGenerator<{ readonly text: string | null }, void, void>
  close(): void
}

export interface SocketOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly connectMilliseconds: number
  readonly purpose: Purpose
  /** Maximum size of a message in bytes; a larger one closes the connection. */
  readonly mostBytes: number
  /** Signal that closes the connection. */
  readonly signal: AbortSignal
}

/** Maximum number of messages kept for a slow reader; beyond it only the newest one is kept. */
const MOST_WAITING = 1000

class Inbox implements OutgoingSocket {
  readonly #socket: WebSocket
  readonly #signal: AbortSignal
  readonly #onAbort = (): void => this.close()
  readonly #waiting: { readonly text: string | null }[] = []
  #end: { readonly error: Error | null } | null = null
  #wake: () => void = () => undefined

  constructor(socket: WebSocket, signal: AbortSignal) {
    this.#socket = socket
    this.#signal = signal
    socket.on('message', (data: RawData, isBinary: boolean) =>
      this.#take(isBinary ? null : toText(data)),
    )
    socket.on('error', (error) => this.#finish(error))
    socket.on('close', () => this.#finish(null))
    signal.addEventListener('abort', this.#onAbort)
  }

  #take(text: string | null): void {
    if (this.#waiting.length >= MOST_WAITING) this.#waiting.shift()
    this.#waiting.push({ text })
    this.#wake()
  }

  #finish(error: Error | null): void {
    this.#end ??= { error }
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#wake()
  }

  async *messages(): AsyncGenerator<{ readonly text: string | null }, void, void> {
    for (;;) {
      const next = this.#waiting.shift()
      if (next) {
        yield next
        continue
      }
      if (this.#end?.error) throw this.#end.error
      if (this.#end) return
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  close(): void {
    this.#socket.terminate()
  }
}

const toText = (data: RawData): string => {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return (Buffer.isBuffer(data) ? data : Buffer.from(data)).toString('utf8')
}

type Opened = (error: Error | null, socket?: Socket) => void

async function openFor(address: string, timeout: number, opened: Opened): Promise<void> {
  try {
    opened(null, await openConnection(new URL(address), { timeout }))
  } catch (error) {
    opened(toError(error))
  }
}

/** Returns the options with which a WebSocket uses the configured proxies. */
export const way = (address: string, timeout: number): Pick<ClientOptions, 'createConnection'> => ({
  // The HTTP client accepts connections passed later to a callback, which its types do not declare.
  createConnection: ((_: unknown, opened: Opened) =>
    void openFor(address, timeout, opened)) as unknown as ClientOptions['createConnection'],
})

/** Opens a WebSocket; redirects are not followed. */
export async function openOutgoingSocket(
  address: string,
  options: SocketOptions,
): Promise<OutgoingSocket> {
  const { headers, connectMilliseconds, mostBytes, signal, purpose } = options
  const { WebSocket } = await import('ws')
  signal.throwIfAborted()
  const open = () =>
    new WebSocket(address, {
      ...way(address, connectMilliseconds),
      headers,
      handshakeTimeout: connectMilliseconds,
      maxPayload: mostBytes,
      followRedirects: false,
      perMessageDeflate: false,
    })
  const socket = because(purpose, open)
  const inbox = new Inbox(socket, signal)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The connection was closed before it was open.')))
  })
  return inbox
}
