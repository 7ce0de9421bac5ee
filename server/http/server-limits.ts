/** What every listener of the gateway holds its connections to. */
export const SERVER_LIMITS = Object.freeze({
  /** Headers have to be complete by then (slow-loris); answers may take as long as they need. */
  headersTimeout: 15_000,
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
})
