import type { ToolServer, ToolServerInput, ToolServerState } from '#contract/tool-servers.ts'
import type { Access } from '../access/index.ts'
import { badRequest, conflict, forbidden, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { placeOutside } from './call-place.ts'
import { chooseIds } from './choose-ids.ts'
import { readServers } from './import-servers.ts'
import type { LiveServers } from './live-servers.ts'
import {
  describeServer,
  isProgram,
  isSamePlace,
  signsInPeople,
  toServerRecord,
  type ServerRecord,
} from './server-record.ts'
import { fingerprintOf, type ServerStates } from './server-states.ts'
import type { SignIns } from './sign-in/sign-ins.ts'
import type { StoredServer, ToolServerStore } from './store.ts'

export interface ConnectionsDependencies {
  readonly store: ToolServerStore
  readonly access: Pick<Access, 'describe' | 'remove' | 'replace'>
  readonly transaction: <Result>(work: () => Result) => Result
  readonly live: LiveServers
  readonly states: ServerStates
  readonly signIns: SignIns
  /** The stored servers, as they are kept in memory. */
  readonly servers: () => readonly StoredServer[]
  /** Reads them again. */
  readonly reload: () => void
}

/** What administrators do with tool servers. */
export type Connections = StoredConnections & TriedConnections & ServerViews

interface StoredConnections {
  list(): ToolServer[]
  replace(caller: Caller, inputs: readonly ToolServerInput[]): Promise<ToolServer[]>
  saveClient(id: string, sealed: string): void
}

interface TriedConnections {
  verify(
    caller: Caller,
    input: ToolServerInput,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>>
  import(configuration: Record<string, unknown>): { connections: ToolServer[]; problems: string[] }
}

interface ServerViews {
  states(caller: Caller, refresh: boolean, signal: AbortSignal): Promise<ToolServerState[]>
  approve(caller: Caller, id: string, fingerprint: string): ToolServerState
}

/**
 * Starting a program is as much as being at the computer, which keys are not made for (security
 * rows 104, 108, 129).
 */
function requirePerson(caller: Caller): void {
  if (caller.credential === 'key')
    throw forbidden(
      'Programs as tool servers are set up by a signed-in administrator, not with an API key.',
    )
}

const PRIVATE = { access_grants: [], access_control: {} }

const startsTheSame = (one: ServerRecord, other: ServerRecord | null): boolean =>
  other !== null &&
  isSamePlace(one, other) &&
  JSON.stringify(one.secrets.environment) === JSON.stringify(other.secrets.environment)

const findIn = (servers: readonly StoredServer[], id: string): StoredServer | null =>
  servers.find(({ record }) => record.id === id) ?? null

function createStoredConnections(dependencies: ConnectionsDependencies): StoredConnections {
  const { store, access, transaction, live, states, servers, reload } = dependencies
  const find = (id: string): StoredServer | null => findIn(servers(), id)
  const describe = (record: ServerRecord): ToolServer =>
    describeServer(record, access.describe('tool_server', record.id))

  /** What was approved and who signed in holds for one place only (security rows 85 and 107). */
  function save(
    caller: Caller,
    input: ToolServerInput,
    record: ServerRecord,
    position: number,
  ): void {
    const before = find(record.id)
    store.save(record, position)
    if (before && !isSamePlace(before.record, record)) {
      store.approve(record.id, null)
      store.forgetTokens(record.id)
      states.forget(record.id)
    }
    const { access_grants, access_control } = input.config
    access.replace(
      caller,
      { type: 'tool_server', id: record.id },
      { access_grants, access_control },
    )
  }

  return {
    list: () => servers().map(({ record }) => describe(record)),
    async replace(caller, inputs) {
      if (inputs.length === 0 && servers().some(({ record }) => record.origin === 'environment')) {
        const advice =
          'These tool servers come from the environment, where TOOL_SERVER_CONNECTIONS can be emptied. Switch them off here instead.'
        throw badRequest(advice, { code: 'connection_from_environment' })
      }
      const ids = chooseIds(inputs)
      const records = inputs.map((input, index) =>
        toServerRecord(input, ids[index]!, find(ids[index]!)?.record ?? null),
      )
      if (
        records.some(
          (record) => isProgram(record) && !startsTheSame(record, find(record.id)?.record ?? null),
        )
      )
        requirePerson(caller)
      const before = servers()
      transaction(() => {
        // Those that are not in force are replaced as well.
        for (const { record } of store.list()) {
          if (ids.includes(record.id)) continue
          store.remove(record.id)
          access.remove('tool_server', record.id)
        }
        records.forEach((record, position) => save(caller, inputs[position]!, record, position))
      })
      reload()
      const touched = before.filter(
        ({ record }) => JSON.stringify(record) !== JSON.stringify(find(record.id)?.record),
      )
      for (const { record } of touched) if (!find(record.id)) states.forget(record.id)
      await Promise.all(touched.map(({ record }) => live.drop({ serverId: record.id })))
      return servers().map(({ record }) => describe(record))
    },
    saveClient(id, sealed) {
      const server = find(id)
      if (!server) return
      const { record } = server
      store.save(
        { ...record, secrets: { ...record.secrets, client: sealed } },
        servers().indexOf(server),
      )
      reload()
    },
  }
}

function createTriedConnections({
  live,
  signIns,
  servers,
}: ConnectionsDependencies): TriedConnections {
  return {
    async verify(caller, input, signal) {
      const known = findIn(servers(), input.info.id)?.record ?? null
      // A stored key is lent only to the place it was given for.
      const lender =
        known && known.url === input.url.replace(/\/+$/, '') && known.command === input.command
          ? known
          : null
      const record = toServerRecord(input, input.info.id || 'unsaved', lender)
      if (isProgram(record)) requirePerson(caller)
      if (signsInPeople(record)) return signIns.discover(record.url)
      const { server, document } = await live.tryOut(record, placeOutside(caller), signal)
      return (
        document ?? {
          status: true,
          specs: server.functions.map(({ name, description, parameters }) => ({
            name,
            description,
            parameters,
          })),
        }
      )
    },
    import(configuration) {
      const { inputs, problems } = readServers(configuration)
      const found: string[] = [...problems]
      const connections = inputs.flatMap((input) => {
        try {
          // The secrets are the caller's own, and have to come back as they are to be stored.
          const record = toServerRecord(input, input.info.id, null)
          const shown = describeServer(record, PRIVATE)
          return [
            {
              ...shown,
              key: input.key,
              headers: { ...record.secrets.headers },
              env: { ...record.secrets.environment },
            },
          ]
        } catch (error) {
          found.push(
            `${input.info.name}: ${error instanceof Error ? error.message : String(error)}`,
          )
          return []
        }
      })
      return { connections, problems: found }
    },
  }
}

function createServerViews({
  store,
  live,
  states,
  servers,
  reload,
}: ConnectionsDependencies): ServerViews {
  const find = (id: string): StoredServer | null => findIn(servers(), id)

  function describeState({ record }: StoredServer): ToolServerState {
    const state = states.get(record.id)
    return {
      id: record.id,
      name: record.name || record.id,
      status: record.isEnabled ? (state?.status ?? 'unknown') : 'disabled',
      detail: state?.detail ?? null,
      checked_at: state?.checkedAt ?? null,
      tools: (state?.functions ?? []).map(({ name, description, parameters }) => ({
        name,
        description,
        parameters: { ...parameters },
      })),
      changed_tools: [...(state?.changed ?? [])],
      fingerprint: state?.status === 'changed' ? fingerprintOf(state) : null,
      sessions: live.sessions(record.id),
    }
  }

  return {
    async states(caller, refresh, signal) {
      if (refresh) {
        const asked = servers().filter(({ record }) => record.isEnabled)
        // Sessions ask again by themselves when a server says that its tools changed; descriptions
        // do not.
        for (const { record } of asked)
          if (record.type === 'openapi') await live.drop({ serverId: record.id })
        await Promise.allSettled(
          asked.map(({ record }) => live.open(record, placeOutside(caller), signal)),
        )
      }
      return servers().map(describeState)
    },
    approve(caller, id, fingerprint) {
      const server = find(id)
      if (!server) throw notFound('There is no such tool server.')
      requirePerson(caller)
      const state = states.get(id)
      if (!state || fingerprintOf(state) !== fingerprint) {
        throw conflict(
          'The tools have changed once more since they were shown. Look at them again.',
        )
      }
      store.approve(id, { ...server.approved, ...state.hashes })
      reload()
      states.noteTools(id, state.functions, find(id)!.approved)
      return describeState(find(id)!)
    },
  }
}

export function createConnections(dependencies: ConnectionsDependencies): Connections {
  return {
    ...createStoredConnections(dependencies),
    ...createTriedConnections(dependencies),
    ...createServerViews(dependencies),
  }
}
