/** Connection limits of every listener of the gateway. */
export const SERVER_LIMITS = Object.freeze({
  /** Time limit for complete headers (slow-loris); responses have no limit. */
  headersTimeout: 15_000,
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
})
