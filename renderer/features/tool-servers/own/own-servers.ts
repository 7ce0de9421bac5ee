import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ClientFrame, GatewayCall, ServerFrame } from '#contract/events.ts'
import { translate } from '../../../lib/i18n.ts'
import { toSentence } from '../../../api/api-error.ts'
import { forgetKeys, readKey } from './keys.ts'
import { type OwnServer, toOwnServers } from './own-server.ts'
import type { Description } from './read-description.ts'
import { createReach, type Reach } from './reach.ts'
import type { Fields } from '../../../lib/fields.ts'

/** State of a server as seen from this window. */
export interface OwnServerState {
  readonly status: 'unknown' | 'checking' | 'ok' | 'failed'
  readonly problem: string | null
  /** True if the server needs a key or a sign-in, or another one. */
  readonly isRefused: boolean
  readonly description: Description | null
}

export interface OwnServersState {
  readonly servers: readonly OwnServer[]
  readonly states: Readonly<Record<string, OwnServerState>>
}

const UNKNOWN: OwnServerState = Object.freeze({
  status: 'unknown',
  problem: null,
  isRefused: false,
  description: null,
})
const placeOf = ({ url, path, authType }: OwnServer): string =>
  JSON.stringify([url, path, authType])
const keyOf = ({ id, authType, stored }: OwnServer): string =>
  authType === 'none' ? '' : readKey(id) || (typeof stored['key'] === 'string' ? stored['key'] : '')

type Send = (frame: ClientFrame) => boolean

const LONGEST_PROBLEM = 10_000
type ToolCall = Extract<GatewayCall, { type: 'execute:tool' }>['data']

type Store = StoreApi<OwnServersState>

/** Loads the descriptions of servers; concurrent checks of the same server are combined. */
class Checks {
  readonly #store: Store
  readonly #reach: Reach
  readonly #running = new Map<string, Promise<void>>()

  constructor(store: Store, reach: Reach) {
    this.#store = store
    this.#reach = reach
  }

  stateOf(id: string): OwnServerState {
    return this.#store.getState().states[id] ?? UNKNOWN
  }

  async check(id: string): Promise<void> {
    const server = this.#find(id)
    if (!server) return
    const known = this.#running.get(id)
    if (known) return known
    const work = this.#ask(server).finally(() => this.#running.delete(id))
    this.#running.set(id, work)
    return work
  }

  /** Checks the server unless its description is known. */
  async ensure(id: string): Promise<OwnServerState> {
    if (!this.stateOf(id).description) await this.check(id)
    return this.stateOf(id)
  }

  #find(id: string): OwnServer | undefined {
    return this.#store.getState().servers.find((server) => server.id === id)
  }

  #set(id: string, state: OwnServerState): void {
    this.#store.setState(({ states }) => ({ states: { ...states, [id]: state } }))
  }

  async #ask(server: OwnServer): Promise<void> {
    const { id } = server
    this.#set(id, { ...this.stateOf(id), status: 'checking' })
    const state = await this.#read(server)
    // The server may have been changed or removed meanwhile.
    const now = this.#find(id)
    if (now && placeOf(now) === placeOf(server)) this.#set(id, state)
  }

  async #read(server: OwnServer): Promise<OwnServerState> {
    const { readDescription, RefusedRequest } = await import('./read-description.ts')
    try {
      const description = await readDescription(this.#reach, server, keyOf(server))
      return { status: 'ok', problem: null, isRefused: false, description }
    } catch (thrown) {
      return {
        status: 'failed',
        problem: toSentence(thrown),
        isRefused: thrown instanceof RefusedRequest,
        description: null,
      }
    }
  }
}

interface CallsDeps {
  readonly store: Store
  readonly reach: Reach
  readonly checks: Checks
  readonly send: Send
}

/** Executes the gateway's calls of these servers' tools. */
class Calls {
  readonly #deps: CallsDeps
  readonly #running = new Map<string, AbortController>()

  constructor(deps: CallsDeps) {
    this.#deps = deps
  }

  async answer(callId: string, data: ToolCall): Promise<void> {
    const { send } = this.#deps
    const cancel = new AbortController()
    this.#running.set(callId, cancel)
    try {
      const result = await this.#run(data, cancel.signal)
      if (!cancel.signal.aborted) send({ type: 'call:result', call_id: callId, result })
    } catch (thrown) {
      const error = toSentence(thrown).slice(0, LONGEST_PROBLEM)
      send({ type: 'call:error', call_id: callId, error })
    } finally {
      this.#running.delete(callId)
    }
  }

  /** Cancels a call; returns true if it belonged to these servers. */
  cancel(callId: string): boolean {
    const found = this.#running.get(callId)
    found?.abort()
    return found !== undefined
  }

  cancelAll(): void {
    for (const cancel of this.#running.values()) cancel.abort()
  }

  async #run({ name, params, server: named }: ToolCall, signal: AbortSignal): Promise<unknown> {
    const { reach, checks } = this.#deps
    const server = this.#find(named)
    if (!server) throw new Error(translate('toolServers.own.notHere'))
    const { description, problem } = await checks.ensure(server.id)
    if (!description) throw new Error(problem ?? translate('toolServers.own.notHere'))
    const { callTool } = await import('./call-tool.ts')
    const target = { reach, server, description, key: keyOf(server) }
    return callTool(target, { name, params }, signal)
  }

  #find({ id, url }: Fields): OwnServer | undefined {
    const { servers } = this.#deps.store.getState()
    const offered = servers.filter((server) => server.isEnabled && server.url === url)
    return offered.find((server) => server.id === id) ?? offered[0]
  }
}

/** Tool servers of the signed-in user, which this window calls for the gateway. */
export class OwnServers {
  readonly #reach: Reach
  readonly checks: Checks
  readonly #calls: Calls
  readonly store: Store = createStore<OwnServersState>(() => ({ servers: [], states: {} }))

  /** Responses to calls are sent through `send`. */
  constructor(send: Send, reach: Reach = createReach()) {
    this.#reach = reach
    this.checks = new Checks(this.store, reach)
    this.#calls = new Calls({ store: this.store, reach, checks: this.checks, send })
  }

  /** Applies the servers in the settings. */
  take(stored: unknown): void {
    const { servers: before, states } = this.store.getState()
    const servers = toOwnServers(stored)
    const isSame = (server: OwnServer): boolean =>
      before.some((each) => each.id === server.id && placeOf(each) === placeOf(server))
    const kept = servers
      .filter(isSame)
      .flatMap(({ id }) => (states[id] ? [[id, states[id]] as const] : []))
    this.store.setState({ servers, states: Object.fromEntries(kept) })
    if (servers.length !== before.length || !servers.every(isSame)) this.#reach.renew()
  }

  /** Checks the servers that were not checked yet. */
  async checkNew(): Promise<void> {
    const { servers } = this.store.getState()
    const fresh = servers.filter(
      ({ id, isEnabled }) => isEnabled && this.checks.stateOf(id) === UNKNOWN,
    )
    await Promise.all(fresh.map(({ id }) => this.checks.check(id)))
  }

  /**
   * Returns servers in the form of a chat request (`tool_servers`); unavailable ones are left out.
   */
  async describe(ids: readonly string[]): Promise<Record<string, unknown>[]> {
    const { servers } = this.store.getState()
    const wanted = servers.filter(({ id, isEnabled }) => isEnabled && ids.includes(id))
    if (wanted.length === 0) return []
    const [{ toToolServer }, ...states] = await Promise.all([
      import('./to-tool-server.ts'),
      ...wanted.map(({ id }) => this.checks.ensure(id)),
    ])
    return wanted.flatMap((server, place) => {
      const { description } = states[place]!
      return description ? [toToolServer(server, description)] : []
    })
  }

  /** Returns true if the frame was a call of one of these servers, or cancelled one. */
  handleFrame(frame: ServerFrame): boolean {
    if (frame.type === 'call:cancel') return this.#calls.cancel(frame.call_id)
    if (frame.type !== 'call' || frame.data.type !== 'execute:tool') return false
    void this.#calls.answer(frame.call_id, frame.data.data)
    return true
  }

  /** Clears all state, including keys. */
  forget(): void {
    this.#calls.cancelAll()
    this.store.setState({ servers: [], states: {} })
    this.#reach.renew()
    forgetKeys()
  }
}
