import type { EndpointInput } from '#contract/endpoint.ts'
import type { ToolServer, ToolServerInput, ToolServerState } from '#contract/tool-servers.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'
import { toDraft, toInput } from './server-draft.ts'

interface ServersExtra {
  /** How each fares, by its id. */
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

/** Fetches the list and how each server fares; `refresh` asks them all. */
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
 * Changes the list and asks how the servers fare. The gateway keeps it as a whole, so each change
 * begins with what the one before left.
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

/** Puts a server into the place of the one with an id, or at the end. */
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
 * Makes the gateway known to the sign-in of a server; answers with what is stored of it, encrypted.
 */
export async function registerClient(
  body: EndpointInput<typeof toolServers.register>['body'],
): Promise<string> {
  const reply = await call(toolServers.register, { query: { type: 'mcp' }, body })
  return reply.oauth_client_info
}

export const verifyServer = (server: ToolServerInput): Promise<Record<string, unknown>> =>
  call(toolServers.verify, { body: server })

/** Lets a server whose tools changed be used again, as they were shown. */
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

/** Reads the usual JSON with `mcpServers`; nothing is stored. */
export async function importServers(
  text: string,
): Promise<{ connections: ToolServer[]; problems: string[] }> {
  return call(toolServers.import, { body: JSON.parse(text) as Record<string, unknown> })
}
