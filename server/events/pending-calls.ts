import type { ServerFrame } from '#contract/events.ts'
import { newId } from '../lib/ids.ts'
import { toTextFrame } from './text-frame.ts'

/** Limits for waiting for an answer. */
export interface AnswerWait {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** Socket of the window that is asked. */
interface CallTarget {
  send(frame: Buffer): void
}

interface PendingCall {
  readonly connection: CallTarget
  readonly settle: (outcome: { result: unknown } | { error: Error }) => void
}

/** Calls waiting for an answer of a window. */
export class PendingCalls {
  readonly #pending = new Map<string, PendingCall>()

  begin(
    connection: CallTarget,
    { timeoutMs, signal }: AnswerWait,
    send: (callId: string) => void,
  ): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(new Error('The call was stopped.'))
    const callId = newId()
    const giveUp = (reason: string): void => {
      connection.send(
        toTextFrame(JSON.stringify({ type: 'call:cancel', call_id: callId } satisfies ServerFrame)),
      )
      this.#settle(connection, callId, { error: new Error(reason) })
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => giveUp('No window answered in time.'), timeoutMs)
      const stop = () => giveUp('The call was stopped.')
      signal?.addEventListener('abort', stop, { once: true })
      this.#pending.set(callId, {
        connection,
        settle: (outcome) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', stop)
          this.#pending.delete(callId)
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.result)
        },
      })
      send(callId)
    })
  }

  resolve(connection: CallTarget, callId: string, result: unknown): void {
    this.#settle(connection, callId, { result })
  }

  reject(connection: CallTarget, callId: string, reason: string): void {
    this.#settle(connection, callId, { error: new Error(reason) })
  }

  /** Rejects the calls that a closed socket can no longer answer. */
  abandon(connection: CallTarget): void {
    for (const call of this.#pending.values()) {
      if (call.connection === connection)
        call.settle({ error: new Error('The window that should answer was closed.') })
    }
  }

  /**
   * Only the socket that was asked may answer; late answers and those of other sockets are dropped.
   */
  #settle(
    connection: CallTarget,
    callId: string,
    outcome: { result: unknown } | { error: Error },
  ): void {
    const call = this.#pending.get(callId)
    if (call?.connection === connection) call.settle(outcome)
  }
}
