import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Starts work outside the caller's context. Work started in a transaction, including timers, would
 * otherwise belong to it and delay its commit.
 */
export const inOwnContext: <Result>(work: () => Result) => Result = AsyncLocalStorage.snapshot()
