import type { ToolServerInput } from '#contract/tool-servers.ts'
import type { Access } from '../../access/index.ts'
import type { Caller } from '../../lib/http.ts'
import type { Logger } from '../../lib/logger.ts'
import { chooseIds } from '../calls/choose-ids.ts'
import { isSamePlace, toServerRecord, type ServerRecord } from './server-record.ts'
import type { StoredServer, ToolServerStore } from '../store.ts'

/** Setting the gateway's environment variables requires the permissions of an administrator. */
const OPERATOR: Caller = Object.freeze({
  userId: '',
  role: 'admin',
  name: '',
  email: '',
  credential: 'bearer',
  keyId: null,
})

export interface EnvironmentDependencies {
  readonly store: ToolServerStore
  readonly access: Access
  readonly transaction: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly log: Logger
}

function readRecords(
  inputs: readonly ToolServerInput[],
  known: readonly StoredServer[],
  log: Logger,
) {
  const ids = chooseIds(inputs)
  return inputs.flatMap((input, place) => {
    const id = ids[place]!
    try {
      const before = known.find(({ record }) => record.id === id)?.record ?? null
      return [
        {
          input,
          before,
          record: { ...toServerRecord(input, id, null), origin: 'environment' } as ServerRecord,
        },
      ]
    } catch (error) {
      log.warn({ error, tool_server: id }, 'a tool server from the environment was ignored')
      return []
    }
  })
}

/** Returns a server's fields without its later registration at the sign-in provider. */
const toComparable = ({
  secrets: { client: _client, ...secrets },
  ...plain
}: ServerRecord): string => JSON.stringify([plain, secrets])

/**
 * Adds the servers of `TOOL_SERVER_CONNECTIONS` to the list, so that their sign-ins and approvals
 * are stored like those of others. An administrator's list takes precedence; `isFirst` reverses
 * that (`ENABLE_PERSISTENT_CONFIG=false`).
 */
export async function takeEnvironmentServers(
  { store, access, transaction, log }: EnvironmentDependencies,
  { inputs, isFirst }: { inputs: readonly ToolServerInput[]; isFirst: boolean },
): Promise<void> {
  const known = await store.list()
  const hasStored = known.some(({ record }) => record.origin === 'stored')
  const wanted = hasStored && !isFirst ? [] : readRecords(inputs, known, log)
  await transaction(async () => {
    for (const { record } of known) {
      if (record.origin !== 'environment' || wanted.some((each) => each.record.id === record.id))
        continue
      await store.remove(record.id)
      await access.remove('tool_server', record.id)
    }
    for (const [position, { input, before, record }] of wanted.entries()) {
      if (before && toComparable(before) === toComparable(record)) continue
      const isSame = before !== null && isSamePlace(before, record)
      const client = record.secrets.client ?? (isSame ? before.secrets.client : null)
      await store.save({ ...record, secrets: { ...record.secrets, client } }, position)
      if (before && !isSame) {
        await store.approve(record.id, null)
        await store.forgetTokens(record.id)
      }
      const { access_grants, access_control } = input.config
      await access.replace(
        OPERATOR,
        { type: 'tool_server', id: record.id },
        { access_grants: access_grants ?? [], access_control },
      )
    }
  })
}

/**
 * Returns the active servers: those of the environment, unless an administrator has stored a list.
 */
export function chooseServers(all: readonly StoredServer[], isFirst: boolean): StoredServer[] {
  const [stored, others] = (['stored', 'environment'] as const).map((origin) =>
    all.filter(({ record }) => record.origin === origin),
  )
  const [first, second] = isFirst ? [others!, stored!] : [stored!, others!]
  return first.length > 0 ? first : second
}
