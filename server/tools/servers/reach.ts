import { someInOrder, filterInOrder, mapInOrder } from '../../lib/in-order.ts'
import type { ToolItem } from '#contract/tools.ts'
import type { Access } from '../../access/index.ts'
import type { Caller } from '../../lib/http.ts'
import { signsInPeople, toolIdOf, type ServerRecord } from './server-record.ts'
import type { ServerStates } from './server-states.ts'
import type { SignIns } from '../sign-in/sign-ins.ts'
import type { StoredServer } from '../store.ts'

type Who = Pick<Caller, 'userId' | 'role'>

interface ReachDependencies {
  readonly servers: () => readonly StoredServer[]
  readonly access: Access
  readonly states: ServerStates
  readonly signIns: SignIns
}

/** Accepts alternative spellings of the id, and suffixes added by some clients. */
function isNamedBy({ record }: StoredServer, toolId: string): boolean {
  const [id] = toolId.split('|', 1)
  return (
    id === toolIdOf(record) || (record.type === 'openapi' && id === `server:openapi:${record.id}`)
  )
}

/** Determines which tool servers a user may use. */
export class Reach {
  readonly #deps: ReachDependencies

  constructor(dependencies: ReachDependencies) {
    this.#deps = dependencies
  }

  /**
   * Finds a server by its id in requests; null if it is unknown, disabled, or not available to this
   * user.
   */
  async find(caller: Who, toolId: string): Promise<ServerRecord | null> {
    const found = this.#deps.servers().find((server) => isNamedBy(server, toolId))
    return found && (await this.#mayUse(caller, found)) ? found.record : null
  }

  /** Checks access by the server's own id. */
  mayUse(caller: Who, serverId: string): Promise<boolean> {
    return someInOrder(
      this.#deps.servers(),
      async (server) => server.record.id === serverId && (await this.#mayUse(caller, server)),
    )
  }

  /** Returns the servers a caller may use, as entries of the list of tools. */
  async list(caller: Who): Promise<ToolItem[]> {
    return await mapInOrder(
      await filterInOrder(this.#deps.servers(), (server) => this.#mayUse(caller, server)),
      (server) => this.#toItem(caller, server),
    )
  }

  async #mayUse(caller: Who, { record }: StoredServer): Promise<boolean> {
    return (
      record.isEnabled &&
      (await this.#deps.access.allows(
        caller,
        { type: 'tool_server', id: record.id, ownerId: '' },
        'read',
      ))
    )
  }

  async #toItem(caller: Who, { record, createdAt, updatedAt }: StoredServer): Promise<ToolItem> {
    const state = this.#deps.states.get(record.id)
    const shared =
      caller.role === 'admin'
        ? await this.#deps.access.describe('tool_server', record.id)
        : { access_grants: [], access_control: {} }
    return {
      id: toolIdOf(record),
      user_id: toolIdOf(record),
      name: record.name || record.id,
      meta: { description: record.description },
      has_user_valves: false,
      write_access: false,
      fault: state && state.status !== 'ok' ? state.detail : null,
      missing_package: null,
      ...(signsInPeople(record) && {
        authenticated: await this.#deps.signIns.has(caller.userId, record.id),
      }),
      user: null,
      created_at: createdAt,
      updated_at: updatedAt,
      ...shared,
    }
  }
}
