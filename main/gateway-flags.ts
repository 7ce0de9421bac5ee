/**
 * Bounds the space for young objects, which Node else lets grow with the memory of the computer.
 * Much less would have what is in flight under load copied again and again.
 */
export const NODE_FLAGS = ['--max-semi-space-size=32']

/**
 * The C library gives free memory back, and shares its pools between threads; other systems ignore
 * both.
 */
export const MEMORY_ENVIRONMENT = { MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '2' }

/**
 * Certificates the person or their company has put into the system are trusted by the gateway too,
 * unless the environment says otherwise.
 */
export const TRUST_ENVIRONMENT = { NODE_USE_SYSTEM_CA: '1' }

/**
 * The environment of processes that get none. Electron takes an empty one for none given and hands
 * on its own, with whatever keys of providers are in it.
 */
export const BARE_ENVIRONMENT = { LANG: 'C' }
