import type { AuthProvider } from '@modelcontextprotocol/client'
import { badRequest, forbidden, ServiceError } from '../lib/errors.ts'
import { isPrivateHost } from '../lib/host-address.ts'
import { untilAborted } from '../lib/until-aborted.ts'
import type { Settings } from '../settings/index.ts'
import { placeOutside, type CallPlace } from './call-place.ts'
import { chooseFunctions } from './choose-functions.ts'
import type { ConnectMcp } from './mcp/connect.ts'
import { openRenewed } from './mcp/renewed-server.ts'
import { createSessionPool } from './mcp/session-pool.ts'
import { loadDescription, openOpenApi, type OpenApiDependencies } from './openapi/open-openapi.ts'
import type { ToolServerDescription } from '#contract/openapi/operation.ts'
import type { OpenServer } from './open-server.ts'
import { RestingServers } from './resting-servers.ts'
import { signsInPeople, toolIdOf, type ServerRecord } from './server-record.ts'
import type { ServerStates } from './server-states.ts'
import type { StoredServer } from './store.ts'
import { tryServer, type TriedServer } from './try-server.ts'
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

/**
 * One request for the description of a server, however many ask; after a failure nobody waits for
 * it again for a while.
 */
function createDescriptions(openApi: OpenApiDependencies) {
  const known = new Map<string, Promise<ToolServerDescription>>()
  return {
    find(record: ServerRecord): Promise<ToolServerDescription> {
      const found = known.get(record.id)
      if (found) return found
      const loading = loadDescription(record, openApi, new AbortController().signal).then(
        ({ description }) => description,
      )
      known.set(record.id, loading)
      const forget = () => known.get(record.id) === loading && known.delete(record.id)
      loading.catch(() => setTimeout(forget, FAILURE_MILLISECONDS).unref())
      return loading
    },
    forget: (id: string) => void known.delete(id),
  }
}

export function createLiveServers(dependencies: LiveServersDependencies): LiveServers {
  const { find, approve, connectMcp, openApi, states, settings, signInOf } = dependencies
  const descriptions = createDescriptions(openApi)
  const callers = new Map<string, CallPlace['caller']>()
  const resting = new RestingServers()

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
    if (
      record.url === '' ||
      !settings.boolean('OFFLINE_MODE') ||
      isPrivateHost(new URL(record.url).hostname)
    )
      return
    throw forbidden(
      'The gateway is offline (OFFLINE_MODE); only tool servers of the own network are used.',
    )
  }

  /** A session with the tools it offers, which have to be those that were approved. */
  async function enter(record: ServerRecord, place: CallPlace, signal: AbortSignal) {
    const session = await untilAborted(
      pool.use({ userId: place.caller.userId, serverId: record.id }),
      signal,
    )
    const functions = await connectMcp.within(place, () => session.tools(signal))
    const state = states.noteTools(record.id, functions, find(record.id)?.approved ?? null)
    // The first list after an administrator described the server is what they meant.
    if (find(record.id)?.approved === null) approve(record.id, state.hashes)
    if (state.status === 'changed') {
      throw forbidden(
        `The tool server ${record.name || record.id} is not used: ${state.detail} An administrator has to approve it again.`,
      )
    }
    return { session, functions }
  }

  async function openMcp(
    record: ServerRecord,
    place: CallPlace,
    signal: AbortSignal,
  ): Promise<OpenServer> {
    if (signsInPeople(record)) signInOf(record, place.caller.userId)
    callers.set(place.caller.userId, place.caller)
    return openRenewed(connectMcp, (...where) => enter(record, ...where), { place, signal })
  }

  async function openAny(
    record: ServerRecord,
    place: CallPlace,
    signal: AbortSignal,
  ): Promise<OpenServer> {
    checkOffline(record)
    if (record.type === 'mcp') return openMcp(record, place, signal)
    const server = openOpenApi(
      record,
      await untilAborted(descriptions.find(record), signal),
      openApi,
    )
    states.noteTools(record.id, server.functions, null)
    return server
  }

  return {
    async open(record, place, signal) {
      const { userId } = place.caller
      try {
        const isThere = pool.openWith(record.id).some((key) => key.userId === userId)
        const opening = { serverId: record.id, userId, isThere, signal }
        const server = await resting.openInTime(opening, () => openAny(record, place, signal))
        return { ...server, functions: chooseFunctions(server.functions, record.filter) }
      } catch (error) {
        // Whoever asks next is not to wait for the session of a server that hangs.
        if (error instanceof ServiceError && error.status === 504)
          void pool.drop({ userId, serverId: record.id })
        const isPersonal = error instanceof ServiceError && error.status === 403
        if (!isPersonal && !signal.aborted)
          states.noteFailure(record.id, error instanceof Error ? error.message : String(error))
        throw error
      }
    },
    tryOut(record, place, signal) {
      checkOffline(record)
      return tryServer({ connectMcp, openApi }, record, { place, signal })
    },
    sessions: (id) => pool.openWith(id).length,
    async drop(which) {
      if (which.serverId !== undefined) descriptions.forget(which.serverId)
      resting.forget(which)
      await pool.drop(which)
    },
    close: () => pool.close(),
  }
}

export const nameOf = (record: ServerRecord): string => record.name || record.id || toolIdOf(record)
