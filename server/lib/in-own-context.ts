import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Begins work that is nobody's part. What is begun in a transaction would else belong to it, timers
 * too, and stand in the way of its commit.
 */
export const inOwnContext: <Result>(work: () => Result) => Result = AsyncLocalStorage.snapshot()
