import type { LiveConnection } from './live-connection.ts'

/** Lists older than this are asked for again in the background. */
const STALE_MILLISECONDS = 30_000
/** An unknown model makes the gateway ask again, but not more often than this. */
const FRESH_MILLISECONDS = 1000
/** Longest wait for an answer; what comes later is in the next list. */
const DEADLINE_MILLISECONDS = 3000
/** Once one connection has answered, the others get this long. */
const GRACE_MILLISECONDS = 1000

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref())

/**
 * Resolves when all have answered or failed, a while after the first answer, or at the deadline.
 */
async function waitSoftly(connections: readonly LiveConnection[]): Promise<void> {
  if (connections.length === 0) return
  const asked = connections.map(async (connection) => {
    await connection.refresh()
    if (connection.state().status !== 'ok') throw new Error('no answer')
  })
  const graceEnded = Promise.any(asked).then(
    () => wait(GRACE_MILLISECONDS),
    () => null,
  )
  await Promise.race([Promise.allSettled(asked), graceEnded, wait(DEADLINE_MILLISECONDS)])
}

const isBuiltIn = ({ record }: LiveConnection): boolean => record.origin === 'built-in'

/** A connection that somebody has waited for in vain already. */
const isLate = (connection: LiveConnection): boolean =>
  connection.isAsking() && connection.age() >= DEADLINE_MILLISECONDS

/**
 * Brings the model lists up to date without letting a dead connection delay anybody: old lists are
 * renewed in the background, and only connections that were never asked are waited for, unless
 * `isWanted` asks for the newest of all. The runtime that comes along is always waited for.
 */
export async function refreshModels(
  connections: readonly LiveConnection[],
  isWanted: boolean,
): Promise<void> {
  const prompt = connections.filter((connection) => isBuiltIn(connection) || !isLate(connection))
  const unknown = prompt.filter((connection) => connection.state().status === 'unknown')
  const wanted = prompt.filter(
    (connection) => connection.age() > FRESH_MILLISECONDS || connection.isAsking(),
  )
  for (const connection of connections)
    if (connection.age() > STALE_MILLISECONDS) void connection.refresh()
  const asked = isWanted ? [...new Set([...unknown, ...wanted])] : unknown
  // What lies on this computer answers by itself, however busy the computer is.
  const own = asked.filter(isBuiltIn)
  await Promise.all([
    waitSoftly(asked.filter((connection) => !isBuiltIn(connection))),
    ...own.map((connection) => connection.refresh()),
  ])
}
