import { AsyncLocalStorage } from 'node:async_hooks'
import type { PurposeKind } from '#contract/outgoing-connections.ts'

/** Why a connection is opened, for the list of what left this computer. */
export interface Purpose {
  readonly kind: PurposeKind
  /** Such as the name of the connection to a provider. Never a secret or an address. */
  readonly name?: string | null
}

const purposes = new AsyncLocalStorage<Purpose>()

/**
 * Connections that `work` opens, then or later, have this purpose. Only around the opening of
 * connections, not around each call.
 */
export const because = <Result>(purpose: Purpose, work: () => Result): Result =>
  purposes.run(purpose, work)

/** As `because`, where nobody further out has said it more exactly. */
export const becauseByDefault = <Result>(purpose: Purpose, work: () => Result): Result =>
  purposes.getStore() ? work() : purposes.run(purpose, work)

export const currentPurpose = (): Purpose => purposes.getStore() ?? { kind: 'other' }
