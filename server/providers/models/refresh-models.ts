import type { LiveConnection } from '../connections/live-connection.ts'

/** Age after which lists are requested again in the background. */
const STALE_MILLISECONDS = 30_000
/** Minimum interval between two requests caused by an unknown model. */
const FRESH_MILLISECONDS = 1000
/** Maximum wait for a response; a later one is in the next list. */
const DEADLINE_MILLISECONDS = 3000
/** Additional time for the other connections once one has responded. */
const GRACE_MILLISECONDS = 1000

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref())

/**
 * Resolves when all have responded or failed, a while after the first response, or at the deadline.
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

/** Returns true if a connection has already kept a caller waiting in vain. */
const isLate = (connection: LiveConnection): boolean =>
  connection.isAsking() && connection.age() >= DEADLINE_MILLISECONDS

/**
 * Updates the model lists without letting a dead connection delay any caller: old lists are renewed
 * in the background, and only connections that were never asked are waited for, unless `isWanted`
 * requests the latest lists of all. The bundled runtime is always waited for.
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
  // The bundled runtime always responds, however busy the computer is.
  const own = asked.filter(isBuiltIn)
  await Promise.all([
    waitSoftly(asked.filter((connection) => !isBuiltIn(connection))),
    ...own.map((connection) => connection.refresh()),
  ])
}
