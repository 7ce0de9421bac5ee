import { newId } from '../lib/ids.ts'
import type { Connection } from './connection.ts'

/** Calls waiting for the answer of one window (decisions §5, `call`). */
export interface PendingCalls {
  begin(connection: Connection, timeoutMs: number, send: (callId: string) => void): Promise<unknown>
  resolve(connection: Connection, callId: string, result: unknown): void
  reject(connection: Connection, callId: string, reason: string): void
  /** Rejects what a closed socket can no longer answer. */
  abandon(connection: Connection): void
}

interface PendingCall {
  readonly connection: Connection
  readonly settle: (outcome: { result: unknown } | { error: Error }) => void
}

export function createPendingCalls(): PendingCalls {
  const pending = new Map<string, PendingCall>()

  /** Only the socket that was asked may answer; late and foreign answers are dropped. */
  function settle(connection: Connection, callId: string, outcome: { result: unknown } | { error: Error }): void {
    const call = pending.get(callId)
    if (call?.connection === connection) call.settle(outcome)
  }

  return {
    begin(connection, timeoutMs, send) {
      const callId = newId()
      return new Promise((resolve, reject) => {
        const expire = () => settle(connection, callId, { error: new Error('Nobody answered in time.') })
        const timer = setTimeout(expire, timeoutMs)
        pending.set(callId, {
          connection,
          settle(outcome) {
            clearTimeout(timer)
            pending.delete(callId)
            if ('error' in outcome) reject(outcome.error)
            else resolve(outcome.result)
          },
        })
        send(callId)
      })
    },
    resolve: (connection, callId, result) => settle(connection, callId, { result }),
    reject: (connection, callId, reason) => settle(connection, callId, { error: new Error(reason) }),
    abandon(connection) {
      for (const call of pending.values()) {
        if (call.connection === connection) call.settle({ error: new Error('The window that should answer was closed.') })
      }
    },
  }
}
