import path from 'node:path'
import type { AuthProvider } from '@modelcontextprotocol/client'
import { badRequest, forbidden, ServiceError } from '../../lib/errors.ts'
import { isPrivateHost } from '../../lib/outgoing/host-address.ts'
import { untilAborted } from '../../lib/timing/until-aborted.ts'
import { requireWayOut, sealedError } from '../../lib/outgoing/way-out.ts'
import { isOffline, type Settings } from '../../settings/index.ts'
import { placeOutside, type CallPlace } from '../calls/call-place.ts'
import { chooseFunctions } from '../calls/choose-functions.ts'
import type { ConnectMcp } from '../mcp/connect.ts'
import { openRenewed } from '../mcp/renewed-server.ts'
import { SessionPool } from '../mcp/session-pool.ts'
import { loadDescription, openOpenApi, type OpenApiDependencies } from '../openapi/open-openapi.ts'
import type { ToolServerDescription } from '#contract/openapi/operation.ts'
import type { OpenServer } from './open-server.ts'
import { RestingServers } from './resting-servers.ts'
import { isProgram, signsInPeople, toolIdOf, type ServerRecord } from './server-record.ts'
import type { ServerStates } from './server-states.ts'
import type { StoredServer } from '../store.ts'
import { tryServer, type TriedServer } from './try-server.ts'
import type { ToolHashes } from './tool-hashes.ts'

export interface LiveServersDependencies {
  readonly find: (id: string) => StoredServer | null
  readonly approve: (id: string, approved: ToolHashes) => Promise<void>
  readonly connectMcp: ConnectMcp
  readonly openApi: OpenApiDependencies
  readonly states: ServerStates
  readonly settings: Settings<'OFFLINE_MODE' | 'SEALED_MODE'>
  /**
   * Returns a user's sign-in at a server; throws 403 with the place to sign in if there is none.
   */
  readonly signInOf: (record: ServerRecord, userId: string) => Promise<AuthProvider>
}

const IDLE_MILLISECONDS = 300_000
const MOST_SESSIONS = 200
const FAILURE_MILLISECONDS = 15_000

/**
 * Descriptions of servers, with one request shared by all callers; after a failure it is not
 * retried for a while.
 */
class Descriptions {
  readonly #openApi: OpenApiDependencies
  readonly #known = new Map<string, Promise<ToolServerDescription>>()

  constructor(openApi: OpenApiDependencies) {
    this.#openApi = openApi
  }

  find(record: ServerRecord): Promise<ToolServerDescription> {
    const found = this.#known.get(record.id)
    if (found) return found
    const loading = loadDescription(record, this.#openApi, new AbortController().signal).then(
      ({ description }) => description,
    )
    this.#known.set(record.id, loading)
    const forget = () => this.#known.get(record.id) === loading && this.#known.delete(record.id)
    loading.catch(() => setTimeout(forget, FAILURE_MILLISECONDS).unref())
    return loading
  }

  forget(id: string) {
    this.#known.delete(id)
  }
}

/** Tool servers in use. */
export class LiveServers {
  readonly #deps: LiveServersDependencies
  readonly #connectMcp
  readonly #states
  readonly #descriptions
  readonly #callers = new Map<string, CallPlace['caller']>()
  readonly #resting = new RestingServers()
  readonly #pool

  constructor(dependencies: LiveServersDependencies) {
    this.#deps = dependencies
    this.#connectMcp = dependencies.connectMcp
    this.#states = dependencies.states
    this.#descriptions = new Descriptions(dependencies.openApi)
    this.#pool = new SessionPool({
      idleMilliseconds: IDLE_MILLISECONDS,
      mostSessions: MOST_SESSIONS,
      open: async ({ userId, serverId }, signal) => {
        const record = dependencies.find(serverId)?.record
        const caller = this.#callers.get(userId)
        if (!record || !caller) throw badRequest('This tool server no longer exists.')
        return this.#connectMcp.open(record, placeOutside(caller), {
          signal,
          onLog: (line) => this.#states.addLine(serverId, line),
          ...(signsInPeople(record) && {
            authProvider: await dependencies.signInOf(record, userId),
          }),
        })
      },
    })
  }

  /**
   * Returns the tools of a stored server for a caller; throws the reason if they are unavailable.
   */
  async open(record: ServerRecord, place: CallPlace, signal: AbortSignal): Promise<OpenServer> {
    const { userId } = place.caller
    try {
      const isThere = this.#pool.openWith(record.id).some((key) => key.userId === userId)
      const opening = { serverId: record.id, userId, isThere, signal }
      const server = await this.#resting.openInTime(opening, () =>
        this.#openAny(record, place, signal),
      )
      return { ...server, functions: chooseFunctions(server.functions, record.filter) }
    } catch (error) {
      // The next caller must not wait for the session of an unresponsive server.
      if (error instanceof ServiceError && error.status === 504)
        void this.#pool.drop({ userId, serverId: record.id })
      const fault = error instanceof ServiceError ? error : null
      if (fault?.status !== 403 && !signal.aborted) {
        const detail = error instanceof Error ? error.message : String(error)
        this.#states.noteFailure(record.id, detail, fault?.code ?? null)
      }
      throw error
    }
  }

  /** Tries a server that need not be stored; sessions with MCP servers are closed afterwards. */
  tryOut(record: ServerRecord, place: CallPlace, signal: AbortSignal): Promise<TriedServer> {
    this.#checkAllowed(record)
    return tryServer({ connectMcp: this.#connectMcp, openApi: this.#deps.openApi }, record, {
      place,
      signal,
    })
  }

  sessions(id: string): number {
    return this.#pool.openWith(id).length
  }

  /** Closes everything open with a server, or for a user. */
  async drop(which: { readonly serverId?: string; readonly userId?: string }): Promise<void> {
    if (which.serverId !== undefined) this.#descriptions.forget(which.serverId)
    this.#resting.forget(which)
    await this.#pool.drop(which)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  /** Programs cannot be kept from the network, so none is started in sealed mode. */
  #checkAllowed(record: ServerRecord): void {
    if (isProgram(record) && this.#deps.settings.get('SEALED_MODE')) {
      const target = { host: path.basename(record.command), port: 0 }
      requireWayOut(target, { kind: 'tool_server', name: record.name })
      throw sealedError(target.host)
    }
    if (
      record.url === '' ||
      !isOffline(this.#deps.settings) ||
      isPrivateHost(new URL(record.url).hostname)
    )
      return
    const { hostname: host, port, protocol } = new URL(record.url)
    const target = { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) }
    requireWayOut(target, { kind: 'tool_server', name: record.name })
    throw forbidden(
      'The gateway is offline (OFFLINE_MODE); only tool servers of the own network are used.',
    )
  }

  /** Returns a session with its tools, which must be the approved ones. */
  async #enter(record: ServerRecord, place: CallPlace, signal: AbortSignal) {
    const session = await untilAborted(
      this.#pool.use({ userId: place.caller.userId, serverId: record.id }),
      signal,
    )
    const functions = await this.#connectMcp.within(place, () => session.tools(signal))
    const state = this.#states.noteTools(
      record.id,
      functions,
      this.#deps.find(record.id)?.approved ?? null,
    )
    // The first list after an administrator configured the server counts as approved; an empty one
    // would make every tool that the server offers later a change.
    if (functions.length > 0 && this.#deps.find(record.id)?.approved === null)
      await this.#deps.approve(record.id, state.hashes)
    if (state.status === 'changed') {
      throw forbidden(
        `The tool server ${record.name || record.id} is not used: ${state.detail} An administrator has to approve it again.`,
      )
    }
    return { session, functions }
  }

  async #openMcp(record: ServerRecord, place: CallPlace, signal: AbortSignal): Promise<OpenServer> {
    if (signsInPeople(record)) await this.#deps.signInOf(record, place.caller.userId)
    this.#callers.set(place.caller.userId, place.caller)
    return openRenewed(this.#connectMcp, (...where) => this.#enter(record, ...where), {
      place,
      signal,
    })
  }

  async #openAny(record: ServerRecord, place: CallPlace, signal: AbortSignal): Promise<OpenServer> {
    this.#checkAllowed(record)
    if (record.type === 'mcp') return this.#openMcp(record, place, signal)
    const server = openOpenApi(
      record,
      await untilAborted(this.#descriptions.find(record), signal),
      this.#deps.openApi,
    )
    this.#states.noteTools(record.id, server.functions, null)
    return server
  }
}

export const nameOf = (record: ServerRecord): string => record.name || record.id || toolIdOf(record)
