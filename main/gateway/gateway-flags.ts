/**
 * Limits the young generation, which Node otherwise sizes by the computer's memory. A much lower
 * value would cause live objects to be copied repeatedly under load.
 */
export const NODE_FLAGS = ['--max-semi-space-size=32']

/**
 * Makes the C library return free memory and share its arenas between threads; other systems ignore
 * both.
 */
export const MEMORY_ENVIRONMENT = { MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '2' }

/**
 * Makes the gateway trust the certificates that the user or their company installed in the system,
 * unless the environment states otherwise.
 */
export const TRUST_ENVIRONMENT = { NODE_USE_SYSTEM_CA: '1' }

/**
 * Environment of processes that need none. Electron treats an empty one as missing and passes its
 * own, including any provider keys in it.
 */
export const BARE_ENVIRONMENT = { LANG: 'C' }
