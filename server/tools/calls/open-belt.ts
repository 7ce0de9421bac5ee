import { flatMapInOrder } from '../../lib/in-order.ts'
import type { ToolApprovalMode } from '#contract/tool-servers.ts'
import type { Files } from '../../files/index.ts'
import type { Groups } from '../../groups/index.ts'
import type { ToolBelt, ToolRequest } from '../../extensions/tool-belt.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import type { ToolsSettings } from '../tools-settings.ts'
import type { Answers } from './answers.ts'
import { createServerBelt, type BeltServer } from './belt.ts'
import { placeOf } from './call-place.ts'
import { keepFiles } from './keep-files.ts'
import { nameOf, type LiveServers } from '../servers/live-servers.ts'
import type { Reach } from '../servers/reach.ts'
import { openOwnServer } from '../own-servers/open-own-server.ts'
import { readOwnServers } from '../own-servers/read-own-servers.ts'
import { toolIdOf } from '../servers/server-record.ts'
import { joinNamed, onlyNamed, readNamedFunctions, type NamedServer } from './named-servers.ts'

export interface BeltDependencies {
  readonly reach: Reach
  readonly live: LiveServers
  readonly answers: Answers
  readonly files: Files
  readonly settings: ToolsSettings
  readonly groups: Groups
}

export const isServerId = (id: string): boolean => id.startsWith('server:')

/** Reports in the status line of the answer that a server is omitted. */
function tellLeftOut({ tell }: Pick<CallOrigin, 'tell'>, name: string, reason: string): void {
  tell({
    type: 'status',
    data: {
      action: 'tool_server',
      name,
      description: `${name} could not be used: ${reason}`,
      done: true,
      error: true,
    },
  })
}

/**
 * Returns the servers available to this user; others are omitted as if they did not exist (security
 * row 112).
 */
async function findServers(
  { reach }: BeltDependencies,
  origin: CallOrigin,
  ids: readonly string[],
): Promise<NamedServer[]> {
  const named = await flatMapInOrder([...new Set(ids)], async (id) => {
    const record = await reach.find(origin.caller, id)
    if (!record) tellLeftOut(origin, id, 'it does not exist, or you may not use it.')
    return record ? { record, functions: readNamedFunctions(id) } : []
  })
  return joinNamed(named)
}

/** Longer waits are reported in the status line. */
const SILENT_MILLISECONDS = 250

/**
 * Reports in the status line of the answer that a server is awaited, unless it is available
 * immediately.
 */
async function tellWaiting<Value>(
  { tell }: Pick<CallOrigin, 'tell'>,
  name: string,
  opening: Promise<Value>,
): Promise<Value> {
  let isTold = false
  const say = (description: string, done: boolean): void =>
    tell({ type: 'status', data: { action: 'tool_server', name, description, done } })
  const timer = setTimeout(() => {
    isTold = true
    say(`Connecting to ${name}…`, false)
  }, SILENT_MILLISECONDS)
  try {
    const server = await opening
    if (isTold) say(`Connected to ${name}.`, true)
    return server
  } finally {
    clearTimeout(timer)
  }
}

/** Opens servers concurrently; omits an unavailable one and notifies the user of the reason. */
async function openServers(
  { live }: BeltDependencies,
  origin: CallOrigin,
  named: readonly NamedServer[],
): Promise<BeltServer[]> {
  const opening = named.map(async ({ record, functions }): Promise<BeltServer | null> => {
    try {
      const opened = await tellWaiting(
        origin,
        nameOf(record),
        live.open(record, placeOf(origin), origin.signal),
      )
      const server = onlyNamed(opened, record, functions)
      const { id, type, approval } = record
      return {
        prefix: id,
        isPrefixed: type === 'mcp',
        name: nameOf(record),
        toolId: toolIdOf(record),
        approval,
        server,
      }
    } catch (error) {
      origin.signal.throwIfAborted()
      const reason = error instanceof Error ? error.message : String(error)
      tellLeftOut(origin, nameOf(record), reason)
      return null
    }
  })
  return (await Promise.all(opening)).filter((entry) => entry !== null)
}

/**
 * Opens the user's own tool servers, which are called by the user's window. Without the permission
 * they are omitted as if they were not named, like in the reference system.
 */
async function openOwnServers(
  { groups }: BeltDependencies,
  origin: CallOrigin,
  sent: NonNullable<ToolRequest['tool_servers']>,
): Promise<BeltServer[]> {
  if (sent.length === 0 || !(await groups.allows(origin.caller, 'features.direct_tool_servers')))
    return []
  const own = readOwnServers(sent)
  if (origin.sessionId === null) {
    for (const { name } of own)
      tellLeftOut(
        origin,
        name,
        'only an open window can call it, and this request names none of yours.',
      )
    return []
  }
  return own.map((server) => ({
    prefix: server.name,
    isPrefixed: false,
    name: server.name,
    toolId: `direct:${server.url}`,
    approval: null,
    server: openOwnServer(server, origin),
  }))
}

/** Decides by the specified approval mode; if none is specified, by the setting. */
function mustAsk(mode: ToolApprovalMode, isReadOnly: boolean): boolean {
  return mode === 'always' || (mode === 'changes' && !isReadOnly)
}

interface Opening {
  readonly origin: CallOrigin
  readonly request: ToolRequest
  readonly other: ToolBelt | null | Promise<ToolBelt | null>
}

/**
 * Joins the tools of plugins with those of the servers a request names. Returns null,
 * synchronously, if it names none.
 */
export function openBelt(
  dependencies: BeltDependencies,
  { origin, request, other }: Opening,
): null | Promise<ToolBelt | null> {
  const ids = (request.tool_ids ?? []).filter(isServerId)
  const sent = request.tool_servers ?? []
  return ids.length === 0 && sent.length === 0 && other === null
    ? null
    : join(dependencies, { origin, ids, sent, other })
}

async function join(
  dependencies: BeltDependencies,
  {
    origin,
    ids,
    sent,
    other: waiting,
  }: Pick<Opening, 'origin' | 'other'> & {
    readonly ids: readonly string[]
    readonly sent: NonNullable<ToolRequest['tool_servers']>
  },
): Promise<ToolBelt | null> {
  const other = await waiting
  try {
    const own = await openOwnServers(dependencies, origin, sent)
    const servers = [
      ...(await openServers(dependencies, origin, await findServers(dependencies, origin, ids))),
      ...own,
    ]
    return other === null && servers.length === 0
      ? null
      : combine(dependencies, { origin, servers, other })
  } catch (error) {
    await other?.close?.()
    throw error
  }
}

function combine(
  { answers, files, settings }: BeltDependencies,
  {
    origin,
    servers,
    other,
  }: { origin: CallOrigin; servers: readonly BeltServer[]; other: ToolBelt | null },
): ToolBelt {
  const others = new Set(other?.specs.map(({ name }) => name))
  const own = createServerBelt(servers, others, origin)
  const isOther = (name: string): boolean => others.has(name)
  const originOf = (name: string): string =>
    isOther(name) ? other!.originOf(name) : own.originOf(name)
  const isParallel = (name: string): boolean =>
    isOther(name) ? other!.isParallel(name) : own.isParallel(name)
  return {
    specs: [...(other?.specs ?? []), ...own.specs],
    originOf,
    isParallel,
    async approve(call, ask) {
      const mode =
        (isOther(call.name) ? null : own.approvalOf(call.name)) ??
        (settings.get('TOOL_APPROVAL') as ToolApprovalMode)
      if (!mustAsk(mode, isParallel(call.name))) return 'allow'
      const asked = {
        userId: origin.caller.userId,
        chatId: origin.chatId,
        tool: originOf(call.name),
      }
      const known = await answers.find(asked)
      if (known) return known
      const answer = await ask()
      await answers.remember(asked, answer)
      return answer.decision
    },
    async call(call, run) {
      if (isOther(call.name)) return other!.call(call, run)
      const { text, isError, files: made, embeds } = await own.call(call, run)
      return { text, isError, embeds, files: await keepFiles(files, origin.caller.userId, made) }
    },
    close: () => other?.close?.(),
  }
}
