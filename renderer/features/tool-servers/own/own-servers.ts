import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ClientFrame, GatewayCall, ServerFrame } from '#contract/events.ts'
import { translate } from '../../../lib/i18n.ts'
import { toSentence } from '../../../api/api-error.ts'
import { forgetKeys, readKey } from './keys.ts'
import { type OwnServer, toOwnServers } from './own-server.ts'
import type { Description } from './read-description.ts'
import { createReach, type Reach } from './reach.ts'

/** How a server fares, as this window sees it. */
export interface OwnServerState {
  readonly status: 'unknown' | 'checking' | 'ok' | 'failed'
  readonly problem: string | null
  readonly description: Description | null
}

export interface OwnServersState {
  readonly servers: readonly OwnServer[]
  readonly states: Readonly<Record<string, OwnServerState>>
}

/** The tool servers of the signed-in person, which this window calls for the gateway. */
export interface OwnServers {
  readonly store: StoreApi<OwnServersState>
  /** Takes over what the settings say. */
  take(stored: unknown): void
  /** Asks a server what it offers. */
  check(id: string): Promise<void>
  /** Asks those that were not asked yet. */
  checkNew(): Promise<void>
  /**
   * Servers as a request for an answer names them (`tool_servers`); one that cannot be had is left
   * out.
   */
  describe(ids: readonly string[]): Promise<Record<string, unknown>[]>
  /** True when the frame was a call for one of these servers, or takes one back. */
  handleFrame(frame: ServerFrame): boolean
  /** Forgets everything, keys as well. */
  forget(): void
}

const UNKNOWN: OwnServerState = Object.freeze({
  status: 'unknown',
  problem: null,
  description: null,
})
const placeOf = ({ url, path, authType }: OwnServer): string =>
  JSON.stringify([url, path, authType])
const keyOf = ({ id, authType, stored }: OwnServer): string =>
  authType === 'none' ? '' : readKey(id) || (typeof stored['key'] === 'string' ? stored['key'] : '')

type Fields = Readonly<Record<string, unknown>>
type Send = (frame: ClientFrame) => boolean

const LONGEST_PROBLEM = 10_000
type ToolCall = Extract<GatewayCall, { type: 'execute:tool' }>['data']

type Store = StoreApi<OwnServersState>

/** Asks servers what they offer; a server that is being asked is not asked twice. */
function createChecks(store: Store, reach: Reach) {
  const checks = new Map<string, Promise<void>>()
  const find = (id: string): OwnServer | undefined =>
    store.getState().servers.find((server) => server.id === id)
  const setState = (id: string, state: OwnServerState): void =>
    store.setState(({ states }) => ({ states: { ...states, [id]: state } }))

  async function ask(server: OwnServer): Promise<void> {
    const { id } = server
    setState(id, { ...(store.getState().states[id] ?? UNKNOWN), status: 'checking' })
    let state: OwnServerState
    try {
      const { readDescription } = await import('./read-description.ts')
      state = {
        status: 'ok',
        problem: null,
        description: await readDescription(reach, server, keyOf(server)),
      }
    } catch (thrown) {
      state = { status: 'failed', problem: toSentence(thrown), description: null }
    }
    // It may have been changed or removed meanwhile.
    const now = find(id)
    if (now && placeOf(now) === placeOf(server)) setState(id, state)
  }

  async function check(id: string): Promise<void> {
    const server = find(id)
    if (!server) return
    const known = checks.get(id)
    if (known) return known
    const work = ask(server).finally(() => checks.delete(id))
    checks.set(id, work)
    return work
  }
  const stateOf = (id: string): OwnServerState => store.getState().states[id] ?? UNKNOWN
  return {
    check,
    stateOf,
    /** Asks it unless it is known what it offers. */
    ensure: async (id: string): Promise<OwnServerState> => {
      if (!stateOf(id).description) await check(id)
      return stateOf(id)
    },
  }
}

/** Answers the calls of the gateway for tools of these servers. */
function createCalls({
  store,
  reach,
  ensure,
  send,
}: Pick<ReturnType<typeof createChecks>, 'ensure'> & { store: Store; reach: Reach; send: Send }) {
  const running = new Map<string, AbortController>()

  function find(reference: Fields): OwnServer | undefined {
    const { id, url } = reference
    const offered = store
      .getState()
      .servers.filter((server) => server.isEnabled && server.url === url)
    return offered.find((server) => server.id === id) ?? offered[0]
  }

  async function run(
    { name, params, server: named }: ToolCall,
    signal: AbortSignal,
  ): Promise<unknown> {
    const server = find(named)
    if (!server) throw new Error(translate('toolServers.own.notHere'))
    const { description, problem } = await ensure(server.id)
    if (!description) throw new Error(problem ?? translate('toolServers.own.notHere'))
    const { callTool } = await import('./call-tool.ts')
    const target = { reach, server, description, key: keyOf(server) }
    return callTool(target, { name, params }, signal)
  }

  return {
    async answer(callId: string, data: ToolCall): Promise<void> {
      const cancel = new AbortController()
      running.set(callId, cancel)
      try {
        const result = await run(data, cancel.signal)
        if (!cancel.signal.aborted) send({ type: 'call:result', call_id: callId, result })
      } catch (thrown) {
        send({
          type: 'call:error',
          call_id: callId,
          error: toSentence(thrown).slice(0, LONGEST_PROBLEM),
        })
      } finally {
        running.delete(callId)
      }
    },
    /** True for a call of these servers. */
    cancel(callId: string): boolean {
      const found = running.get(callId)
      found?.abort()
      return found !== undefined
    },
    cancelAll(): void {
      for (const cancel of running.values()) cancel.abort()
    },
  }
}

/** Makes the list; answers to calls leave through `send`. */
export function createOwnServers(send: Send, reach: Reach = createReach()): OwnServers {
  const store = createStore<OwnServersState>(() => ({ servers: [], states: {} }))
  const { check, stateOf, ensure } = createChecks(store, reach)
  const calls = createCalls({ store, reach, ensure, send })
  return {
    store,
    check,
    take(stored) {
      const { servers: before, states } = store.getState()
      const servers = toOwnServers(stored)
      const isSame = (server: OwnServer): boolean =>
        before.some((each) => each.id === server.id && placeOf(each) === placeOf(server))
      const kept = servers
        .filter(isSame)
        .flatMap(({ id }) => (states[id] ? [[id, states[id]] as const] : []))
      store.setState({ servers, states: Object.fromEntries(kept) })
      if (servers.length !== before.length || !servers.every(isSame)) reach.renew()
    },
    async checkNew() {
      const fresh = store
        .getState()
        .servers.filter(({ id, isEnabled }) => isEnabled && stateOf(id) === UNKNOWN)
      await Promise.all(fresh.map(({ id }) => check(id)))
    },
    async describe(ids) {
      const wanted = store
        .getState()
        .servers.filter(({ id, isEnabled }) => isEnabled && ids.includes(id))
      if (wanted.length === 0) return []
      const [{ toToolServer }, ...states] = await Promise.all([
        import('./to-tool-server.ts'),
        ...wanted.map(({ id }) => ensure(id)),
      ])
      return wanted.flatMap((server, place) => {
        const { description } = states[place]!
        return description ? [toToolServer(server, description)] : []
      })
    },
    handleFrame(frame) {
      if (frame.type === 'call:cancel') return calls.cancel(frame.call_id)
      if (frame.type !== 'call' || frame.data.type !== 'execute:tool') return false
      void calls.answer(frame.call_id, frame.data.data)
      return true
    },
    forget() {
      calls.cancelAll()
      store.setState({ servers: [], states: {} })
      reach.renew()
      forgetKeys()
    },
  }
}
