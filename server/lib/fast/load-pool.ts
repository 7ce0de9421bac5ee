/**
 * Loads undici's connection pool without the rest of the package: its fetch, cache and mocks are
 * three times as much code, which every gateway with a connection would keep in memory.
 */
export async function loadPool() {
  const [{ default: Pool }, { default: buildConnector }] = await Promise.all([
    import('undici/lib/dispatcher/pool.js'),
    import('undici/lib/core/connect.js'),
  ])
  return { Pool, buildConnector }
}
