import type { AuthProvider } from '@modelcontextprotocol/client'
import { badRequest, forbidden, ServiceError, timedOut } from '../lib/errors.ts'
import { isPrivateHost } from '../lib/host-address.ts'
import { untilAborted } from '../lib/until-aborted.ts'
import type { Settings } from '../settings/index.ts'
import { placeOutside, type CallPlace } from './call-place.ts'
import { chooseFunctions } from './choose-functions.ts'
import type { ConnectMcp } from './mcp/connect.ts'
import { LostSession } from './mcp/session.ts'
import { createSessionPool } from './mcp/session-pool.ts'
import { loadDescription, openOpenApi, type OpenApiDependencies } from './openapi/open-openapi.ts'
import type { ToolServerDescription } from '#contract/openapi/operation.ts'
import type { OpenServer } from './open-server.ts'
import { signsInPeople, toolIdOf, type ServerRecord } from './server-record.ts'
import type { ServerStates } from './server-states.ts'
import type { StoredServer } from './store.ts'
import { fromSession, tryServer, type TriedServer } from './try-server.ts'
import type { ToolHashes } from './tool-hashes.ts'

export interface LiveServersDependencies {
  readonly find: (id: string) => StoredServer | null
  readonly approve: (id: string, approved: ToolHashes) => void
  readonly connectMcp: ConnectMcp
  readonly openApi: OpenApiDependencies
  readonly states: ServerStates
  readonly settings: Pick<Settings, 'boolean'>
  /** The sign-in of a person at a server; 403 with where to go when there is none. */
  readonly signInOf: (record: ServerRecord, userId: string) => AuthProvider
}

/** Tool servers in use. */
export interface LiveServers {
  /** The tools of a stored server for somebody; throws the reason when there are none to be had. */
  open(record: ServerRecord, place: CallPlace, signal: AbortSignal): Promise<OpenServer>
  /** Tries a server that need not be stored; MCP servers are left again. */
  tryOut(record: ServerRecord, place: CallPlace, signal: AbortSignal): Promise<TriedServer>
  sessions(id: string): number
  /** Ends what is open with a server, or of a person. */
  drop(which: { readonly serverId?: string; readonly userId?: string }): Promise<void>
  close(): Promise<void>
}

const IDLE_MILLISECONDS = 300_000
const MOST_SESSIONS = 200
const FAILURE_MILLISECONDS = 15_000
/** How long an answer waits for a server. */
const OPEN_MILLISECONDS = 10_000
/** How long a server that did not answer in time is left alone. */
const REST_MILLISECONDS = 60_000

const restName = (serverId: string, userId: string): string => JSON.stringify([serverId, userId])
const tooSlow = (): ServiceError => timedOut('it does not answer. It is left out for a minute.')

/** Once more when the session turns out to be lost, as nothing was done with it. */
async function again<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LostSession)) throw error
    return work()
  }
}

export function createLiveServers(dependencies: LiveServersDependencies): LiveServers {
  const { find, approve, connectMcp, openApi, states, settings, signInOf } = dependencies
  const descriptions = new Map<string, Promise<ToolServerDescription>>()
  const callers = new Map<string, CallPlace['caller']>()
  /** Until when servers that did not answer in time are left alone, by server and person, as `performance.now` counts. */
  const resting = new Map<string, number>()

  const pool = createSessionPool({
    idleMilliseconds: IDLE_MILLISECONDS,
    mostSessions: MOST_SESSIONS,
    open: ({ userId, serverId }, signal) => {
      const record = find(serverId)?.record
      const caller = callers.get(userId)
      if (!record || !caller) throw badRequest('There is no such tool server any more.')
      return connectMcp.open(record, placeOutside(caller), {
        signal,
        onLog: (line) => states.addLine(serverId, line),
        ...(signsInPeople(record) && { authProvider: signInOf(record, userId) }),
      })
    },
  })

  function checkOffline(record: ServerRecord): void {
    if (record.url === '' || !settings.boolean('OFFLINE_MODE') || isPrivateHost(new URL(record.url).hostname)) return
    throw forbidden('The gateway is offline (OFFLINE_MODE); only tool servers of the own network are used.')
  }

  /** One request for the description of a server, however many ask; after a failure nobody waits for it again for a while. */
  function describe(record: ServerRecord): Promise<ToolServerDescription> {
    const known = descriptions.get(record.id)
    if (known) return known
    const loading = loadDescription(record, openApi, new AbortController().signal).then(({ description }) => description)
    descriptions.set(record.id, loading)
    const forget = () => descriptions.get(record.id) === loading && descriptions.delete(record.id)
    loading.catch(() => setTimeout(forget, FAILURE_MILLISECONDS).unref())
    return loading
  }

  /** A session with the tools it offers, which have to be those that were approved. */
  async function enter(record: ServerRecord, place: CallPlace, signal: AbortSignal) {
    const session = await untilAborted(pool.use({ userId: place.caller.userId, serverId: record.id }), signal)
    const functions = await connectMcp.within(place, () => session.tools(signal))
    const state = states.noteTools(record.id, functions, find(record.id)?.approved ?? null)
    // The first list after an administrator described the server is what they meant.
    if (find(record.id)?.approved === null) approve(record.id, state.hashes)
    if (state.status === 'changed') {
      throw forbidden(`The tool server ${record.name || record.id} is not used: ${state.detail} An administrator has to approve it again.`)
    }
    return { session, functions }
  }

  async function openMcp(record: ServerRecord, place: CallPlace, signal: AbortSignal): Promise<OpenServer> {
    if (signsInPeople(record)) signInOf(record, place.caller.userId)
    callers.set(place.caller.userId, place.caller)
    let { session, functions } = await again(() => enter(record, place, signal))
    return {
      functions,
      async call(name, given, call) {
        const ask = () => fromSession(session, functions, connectMcp).call(name, given, call)
        try {
          return await ask()
        } catch (error) {
          if (!(error instanceof LostSession)) throw error
          ;({ session, functions } = await again(() => enter(record, call.place, call.signal)))
          return ask()
        }
      },
    }
  }

  async function openAny(record: ServerRecord, place: CallPlace, signal: AbortSignal): Promise<OpenServer> {
    checkOffline(record)
    if (record.type === 'mcp') return openMcp(record, place, signal)
    const server = openOpenApi(record, await untilAborted(describe(record), signal), openApi)
    states.noteTools(record.id, server.functions, null)
    return server
  }

  /** No answer waits longer than a while for a server, and those after it not at all until it had time to come round. */
  async function openInTime(record: ServerRecord, place: CallPlace, signal: AbortSignal): Promise<OpenServer> {
    const name = restName(record.id, place.caller.userId)
    const isThere = pool.openWith(record.id).some(({ userId }) => userId === place.caller.userId)
    if (!isThere && (resting.get(name) ?? 0) > performance.now()) throw tooSlow()
    const limit = AbortSignal.timeout(OPEN_MILLISECONDS)
    try {
      const server = await untilAborted(openAny(record, place, signal), AbortSignal.any([signal, limit]))
      resting.delete(name)
      return server
    } catch (error) {
      if (signal.aborted || !(limit.aborted || (error instanceof ServiceError && error.status === 504))) throw error
      resting.set(name, performance.now() + REST_MILLISECONDS)
      throw limit.aborted ? tooSlow() : error
    }
  }

  return {
    async open(record, place, signal) {
      try {
        const server = await openInTime(record, place, signal)
        return { ...server, functions: chooseFunctions(server.functions, record.filter) }
      } catch (error) {
        const isPersonal = error instanceof ServiceError && error.status === 403
        if (!isPersonal && !signal.aborted) states.noteFailure(record.id, error instanceof Error ? error.message : String(error))
        throw error
      }
    },
    tryOut(record, place, signal) {
      checkOffline(record)
      return tryServer({ connectMcp, openApi }, record, { place, signal })
    },
    sessions: (id) => pool.openWith(id).length,
    async drop(which) {
      if (which.serverId !== undefined) descriptions.delete(which.serverId)
      for (const name of resting.keys()) {
        const [serverId, userId] = JSON.parse(name) as [string, string]
        if (which.serverId === serverId || which.userId === userId) resting.delete(name)
      }
      await pool.drop(which)
    },
    close: () => pool.close(),
  }
}

export const nameOf = (record: ServerRecord): string => record.name || record.id || toolIdOf(record)
