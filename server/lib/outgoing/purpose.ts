import { AsyncLocalStorage } from 'node:async_hooks'
import type { PurposeKind } from '#contract/outgoing-connections.ts'

/** Purpose of a connection, for the list of outgoing connections. */
export interface Purpose {
  readonly kind: PurposeKind
  /** For example the name of a provider connection. Never a secret or a URL. */
  readonly name?: string | null
}

const purposes = new AsyncLocalStorage<Purpose>()

/**
 * Assigns this purpose to connections that `work` opens, immediately or later. Only for opening
 * connections, not for each call.
 */
export const because = <Result>(purpose: Purpose, work: () => Result): Result =>
  purposes.run(purpose, work)

/** Like `because`, unless an outer purpose is already set. */
export const becauseByDefault = <Result>(purpose: Purpose, work: () => Result): Result =>
  purposes.getStore() ? work() : purposes.run(purpose, work)

export const currentPurpose = (): Purpose => purposes.getStore() ?? { kind: 'other' }
