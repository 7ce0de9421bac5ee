import { mapInOrder } from '../../lib/in-order.ts'
import type { ToolServer, ToolServerInput, ToolServerState } from '#contract/tool-servers.ts'
import type { Access } from '../../access/index.ts'
import { badRequest, conflict, forbidden, notFound } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { placeOutside } from '../calls/call-place.ts'
import { chooseIds } from '../calls/choose-ids.ts'
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
import type { SignIns } from '../sign-in/sign-ins.ts'
import type { StoredServer, ToolServerStore } from '../store.ts'

export interface ConnectionsDependencies {
  readonly store: ToolServerStore
  readonly access: Access
  readonly transaction: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly live: LiveServers
  readonly states: ServerStates
  readonly signIns: SignIns
  /** Returns the stored servers from memory. */
  readonly servers: () => readonly StoredServer[]
  /** Reloads them. */
  readonly reload: () => Promise<void>
}

/**
 * Starting a program amounts to local access to the computer, for which keys are not intended
 * (security rows 104, 108, 129).
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

/** Management of tool servers by administrators. */
export class Connections {
  readonly #deps: ConnectionsDependencies

  constructor(dependencies: ConnectionsDependencies) {
    this.#deps = dependencies
  }

  list(): Promise<ToolServer[]> {
    return mapInOrder(this.#deps.servers(), ({ record }) => this.#describe(record))
  }

  async replace(caller: Caller, inputs: readonly ToolServerInput[]): Promise<ToolServer[]> {
    if (
      inputs.length === 0 &&
      this.#deps.servers().some(({ record }) => record.origin === 'environment')
    ) {
      const advice =
        'These tool servers come from the environment, where TOOL_SERVER_CONNECTIONS can be emptied. Switch them off here instead.'
      throw badRequest(advice, { code: 'connection_from_environment' })
    }
    const ids = chooseIds(inputs)
    const records = inputs.map((input, index) =>
      toServerRecord(input, ids[index]!, this.#find(ids[index]!)?.record ?? null),
    )
    if (
      records.some(
        (record) =>
          isProgram(record) && !startsTheSame(record, this.#find(record.id)?.record ?? null),
      )
    )
      requirePerson(caller)
    const before = this.#deps.servers()
    await this.#deps.transaction(async () => {
      // Inactive ones are replaced as well.
      for (const { record } of await this.#deps.store.list()) {
        if (ids.includes(record.id)) continue
        await this.#deps.store.remove(record.id)
        await this.#deps.access.remove('tool_server', record.id)
      }
      await mapInOrder(records, (record, position) =>
        this.#save(caller, inputs[position]!, record, position),
      )
    })
    await this.#deps.reload()
    const touched = before.filter(
      ({ record }) => JSON.stringify(record) !== JSON.stringify(this.#find(record.id)?.record),
    )
    for (const { record } of touched)
      if (!this.#find(record.id)) this.#deps.states.forget(record.id)
    await Promise.all(touched.map(({ record }) => this.#deps.live.drop({ serverId: record.id })))
    return await mapInOrder(this.#deps.servers(), ({ record }) => this.#describe(record))
  }

  async saveClient(id: string, sealed: string): Promise<void> {
    const server = this.#find(id)
    if (!server) return
    const { record } = server
    await this.#deps.store.save(
      { ...record, secrets: { ...record.secrets, client: sealed } },
      this.#deps.servers().indexOf(server),
    )
    await this.#deps.reload()
  }

  async verify(
    caller: Caller,
    input: ToolServerInput,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const known = this.#find(input.info.id)?.record ?? null
    // A stored key is reused only for the same server it was entered for.
    const lender =
      known && known.url === input.url.replace(/\/+$/, '') && known.command === input.command
        ? known
        : null
    const record = toServerRecord(input, input.info.id || 'unsaved', lender)
    if (isProgram(record)) requirePerson(caller)
    if (signsInPeople(record)) return this.#deps.signIns.discover(record.url)
    const { server, document } = await this.#deps.live.tryOut(record, placeOutside(caller), signal)
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
  }

  import(configuration: Record<string, unknown>): {
    connections: ToolServer[]
    problems: string[]
  } {
    const { inputs, problems } = readServers(configuration)
    const found: string[] = [...problems]
    const connections = inputs.flatMap((input) => {
      try {
        // The secrets are the caller's, and must be returned as they are to be stored.
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
        found.push(`${input.info.name}: ${error instanceof Error ? error.message : String(error)}`)
        return []
      }
    })
    return { connections, problems: found }
  }

  async states(caller: Caller, refresh: boolean, signal: AbortSignal): Promise<ToolServerState[]> {
    if (refresh) {
      const asked = this.#deps.servers().filter(({ record }) => record.isEnabled)
      // Sessions refresh by themselves when a server reports changed tools; descriptions do not.
      for (const { record } of asked)
        if (record.type === 'openapi') await this.#deps.live.drop({ serverId: record.id })
      await Promise.allSettled(
        asked.map(({ record }) => this.#deps.live.open(record, placeOutside(caller), signal)),
      )
    }
    return this.#deps.servers().map((server) => this.#describeState(server))
  }

  async approve(caller: Caller, id: string, fingerprint: string): Promise<ToolServerState> {
    const server = this.#find(id)
    if (!server) throw notFound('There is no such tool server.')
    requirePerson(caller)
    const state = this.#deps.states.get(id)
    if (!state || fingerprintOf(state) !== fingerprint) {
      throw conflict('The tools have changed once more since they were shown. Look at them again.')
    }
    await this.#deps.store.approve(id, { ...server.approved, ...state.hashes })
    await this.#deps.reload()
    this.#deps.states.noteTools(id, state.functions, this.#find(id)!.approved)
    return this.#describeState(this.#find(id)!)
  }

  #find(id: string): StoredServer | null {
    return this.#deps.servers().find(({ record }) => record.id === id) ?? null
  }

  async #describe(record: ServerRecord): Promise<ToolServer> {
    return describeServer(record, await this.#deps.access.describe('tool_server', record.id))
  }

  /** Approvals and sign-ins are valid for one server only (security rows 85 and 107). */
  async #save(
    caller: Caller,
    input: ToolServerInput,
    record: ServerRecord,
    position: number,
  ): Promise<void> {
    const before = this.#find(record.id)
    await this.#deps.store.save(record, position)
    if (before && !isSamePlace(before.record, record)) {
      await this.#deps.store.approve(record.id, null)
      await this.#deps.store.forgetTokens(record.id)
      this.#deps.states.forget(record.id)
    }
    const { access_grants, access_control } = input.config
    await this.#deps.access.replace(
      caller,
      { type: 'tool_server', id: record.id },
      { access_grants, access_control },
    )
  }

  #describeState({ record }: StoredServer): ToolServerState {
    const state = this.#deps.states.get(record.id)
    return {
      id: record.id,
      name: record.name || record.id,
      status: record.isEnabled ? (state?.status ?? 'unknown') : 'disabled',
      detail: state?.detail ?? null,
      code: state?.code ?? null,
      checked_at: state?.checkedAt ?? null,
      tools: (state?.functions ?? []).map(({ name, description, parameters }) => ({
        name,
        description,
        parameters: { ...parameters },
      })),
      changed_tools: [...(state?.changed ?? [])],
      fingerprint: state?.status === 'changed' ? fingerprintOf(state) : null,
      sessions: this.#deps.live.sessions(record.id),
    }
  }
}
