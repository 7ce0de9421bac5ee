import type { EndpointInput } from '#contract/endpoint.ts'
import type { ToolServer, ToolServerInput, ToolServerState } from '#contract/tool-servers.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'
import { toDraft, toInput } from './server-draft.ts'

interface ServersExtra {
  /** States of the servers, by id. */
  readonly states: Readonly<Record<string, ToolServerState>>
}

export type ServersStore = ListStore<ToolServer, ServersExtra>

const { toolServers } = endpoints

export const createServersStore = (): ServersStore =>
  new ListStore<ToolServer, ServersExtra>({
    read: async ({ signal }) => ({
      items: (await call(toolServers.list, {}, { signal })).TOOL_SERVER_CONNECTIONS,
    }),
    extra: { states: {} },
    keyOf: ({ info }) => info.id,
  })

async function readStates(store: ServersStore, refresh: boolean): Promise<void> {
  const states = await call(toolServers.states, {
    query: { refresh: refresh ? 'true' : undefined },
  })
  store.setState({ states: Object.fromEntries(states.map((state) => [state.id, state])) })
}

/** Loads the list and the state of each server; `refresh` checks all of them. */
export async function loadServers(store: ServersStore, refresh = false): Promise<void> {
  await store.load()
  if (store.getState().status !== 'ready') return
  try {
    await readStates(store, refresh)
  } catch (thrown) {
    store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

type ServersChange = (list: readonly ToolServerInput[]) => readonly ToolServerInput[]

const toList = (servers: readonly ToolServer[]): readonly ToolServerInput[] =>
  servers.map((server) => toInput(toDraft(server)))

const lastChanges = new WeakMap<ServersStore, Promise<void>>()

/**
 * Changes the list and loads the states of the servers. The gateway stores it as a whole, so each
 * change starts from the result of the previous one.
 */
export async function changeServers(store: ServersStore, change: ServersChange): Promise<void> {
  const replace = async (): Promise<void> => {
    const list = change(toList(store.getState().items))
    const reply = await call(toolServers.replace, { body: { TOOL_SERVER_CONNECTIONS: [...list] } })
    const items = reply.TOOL_SERVER_CONNECTIONS
    store.noteChange()
    store.setState({ items, total: items.length })
  }
  const done = (lastChanges.get(store) ?? Promise.resolve()).then(replace, replace)
  lastChanges.set(store, done)
  await done
  await readStates(store, true)
}

/** Returns a change that replaces the server with an id, or appends it. */
export const putServer =
  (id: string | null, saved: ToolServerInput): ServersChange =>
  (list) =>
    list.some(({ info }) => info.id === id)
      ? list.map((each) => (each.info.id === id ? saved : each))
      : [...list, saved]

export const toggleServer =
  (id: string): ServersChange =>
  (list) =>
    list.map((each) =>
      each.info.id === id
        ? { ...each, config: { ...each.config, enable: !each.config.enable } }
        : each,
    )

export const withoutServer =
  (id: string): ServersChange =>
  (list) =>
    list.filter(({ info }) => info.id !== id)

/**
 * Registers the gateway at a server's sign-in; resolves with the encrypted registration to store.
 */
export async function registerClient(
  body: EndpointInput<typeof toolServers.register>['body'],
): Promise<string> {
  const reply = await call(toolServers.register, { query: { type: 'mcp' }, body })
  return reply.oauth_client_info
}

export const verifyServer = (server: ToolServerInput): Promise<Record<string, unknown>> =>
  call(toolServers.verify, { body: server })

/** Approves the changed tools of a server as displayed, so that it can be used again. */
export async function approveServer(
  store: ServersStore,
  { id, fingerprint }: ToolServerState,
): Promise<void> {
  if (fingerprint === null) return
  const state = await call(toolServers.approve, {
    params: { server_id: id },
    body: { fingerprint },
  })
  store.setState({ states: { ...store.getState().states, [id]: state } })
}

export const readLog = (id: string): Promise<{ at: number; line: string }[]> =>
  call(toolServers.log, { params: { server_id: id } })

/** Parses the common JSON with `mcpServers`; nothing is stored. */
export async function importServers(
  text: string,
): Promise<{ connections: ToolServer[]; problems: string[] }> {
  return call(toolServers.import, { body: JSON.parse(text) as Record<string, unknown> })
}
