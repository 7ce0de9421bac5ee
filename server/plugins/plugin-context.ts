import type { Access } from '../access/index.ts'
import type { Events } from '../events/index.ts'
import type { Groups } from '../groups/index.ts'
import { badRequest, forbidden, notFound, ServiceError, unavailable } from '../lib/errors.ts'
import type { GuardedFetch } from '../lib/outgoing/guarded-fetch.ts'
import type { Caller } from '../lib/http.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import type { PluginKey } from './host-request.ts'
import type { Loader } from './loader.ts'
import { missingPackage } from './sources/packages.ts'
import type { Runner } from './calls/runner.ts'
import { idTaken, type Records } from './records.ts'
import type { PluginRecord, PluginStore } from './store.ts'
import { PluginFailure } from './worker/faults.ts'

/** State shared by the operations on plugins. */
export interface PluginContext {
  readonly storage: Storage
  readonly store: PluginStore
  readonly records: Records
  readonly loader: Loader
  readonly runner: Runner
  readonly access: Access
  readonly groups: Groups
  readonly users: Pick<Users, 'get'>
  readonly guardedFetch: GuardedFetch
  /** Returns true while packages are being installed. */
  readonly isInstalling: () => boolean
  readonly events: Pick<Events, 'emit'>
  /** Called when a user who may write code is about to do so. */
  readonly prepare: () => void
}

/** Time in ms to wait before the user sees the reason. */
const SILENT_MILLISECONDS = 1000

const INSTALLING =
  'The Python packages of plugins are being installed. The first time this may take a minute.'

/** Notifies the user waiting for a plugin if packages are installed first. */
export async function whileInstalling<Value>(
  { isInstalling, events }: Pick<PluginContext, 'isInstalling' | 'events'>,
  { userId }: Caller,
  work: Promise<Value>,
): Promise<Value> {
  const timer = setTimeout(() => {
    if (isInstalling())
      events.emit(userId, {
        chat_id: null,
        message_id: null,
        data: { type: 'notification', data: { type: 'info', content: INSTALLING } },
      })
  }, SILENT_MILLISECONDS)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

/** Failures on the gateway's side: no Python, a failed installation, an ended process. */
const NOT_THE_PLUGIN = new Set(['gone', 'pausing', 'busy', 'cancelled', 'host'])

const explainMissing = (name: string, said: string): string =>
  `The plugin needs the package ${name}, which it does not ask for (${said}). Have it installed with the plugin: ` +
  `save it with "requirements": ["${name}"] in its "meta", or add the line "requirements: ${name}" to its front matter.`

/**
 * Returns the error of a failed load for the sender of the source: 400 with Python's message, 503
 * if Python is not to blame.
 */
export function toReply(error: unknown): unknown {
  if (error instanceof ServiceError || !(error instanceof PluginFailure)) return error
  const { code, type, line } = error.details
  if (NOT_THE_PLUGIN.has(code))
    return unavailable(error.message, { code: 'plugin_unavailable', cause: error })
  const needed = missingPackage(error.details)
  if (needed !== null)
    return badRequest(explainMissing(needed, error.message), {
      code: 'plugin_package_missing',
      cause: error,
      facts: { missing_packages: [needed] },
    })
  const place = line === null ? '' : ` (line ${line})`
  const kind = type === 'PluginFailure' || error.message.startsWith(type) ? '' : `${type}: `
  return badRequest(`${kind}${error.message}${place}`, { code: `plugin_${code}`, cause: error })
}

/** Runs work of a plugin for a route. */
export async function forReply<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    throw toReply(error)
  }
}

const toResource = ({ id, userId }: PluginRecord) => ({
  type: 'tool' as const,
  id,
  ownerId: userId,
})

export const mayUseTool = (
  { access }: Pick<PluginContext, 'access'>,
  caller: Caller,
  tool: PluginRecord,
): boolean | Promise<boolean> => access.allows(caller, toResource(tool), 'read')
export const mayChangeTool = (
  { access }: Pick<PluginContext, 'access'>,
  caller: Caller,
  tool: PluginRecord,
): boolean | Promise<boolean> => access.allows(caller, toResource(tool), 'write')

/** Throws 404 for a tool the caller may not use, 403 for one the caller may use but not change. */
export async function requireTool(
  context: PluginContext,
  caller: Caller,
  id: string,
  permission: 'read' | 'write',
): Promise<PluginRecord> {
  const tool = context.records.find({ store: 'tool', id })
  if (!tool || !(await mayUseTool(context, caller, tool))) throw notFound('There is no such tool.')
  if (permission === 'write' && !(await mayChangeTool(context, caller, tool))) {
    throw forbidden('You can use this tool but not edit it. Ask its owner for access.', {
      code: 'not_permitted',
    })
  }
  return tool
}

/**
 * A grant to change a tool does not include its source, which runs with the rights of its users.
 */
export async function requireMayWriteCode(
  { groups }: Pick<PluginContext, 'groups'>,
  caller: Caller,
): Promise<void> {
  if (await groups.allows(caller, 'workspace.tools')) return
  throw forbidden(
    'You may change the name, description, settings and sharing of this tool, not its source. Ask an administrator for it.',
    {
      code: 'not_permitted',
    },
  )
}

export function requireFunction(
  { records }: Pick<PluginContext, 'records'>,
  id: string,
): PluginRecord {
  const found = records.find({ store: 'function', id })
  if (!found) throw notFound('There is no such function.')
  return found
}

/** Returns a function whose source is stored; throws 400 for one that is part of the gateway. */
export function requireStored(record: PluginRecord): PluginRecord {
  if (record.builtIn === null) return record
  throw badRequest(
    `${record.name} is part of the gateway. It can be turned off, but not changed or deleted.`,
    { code: 'built_in' },
  )
}

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** Ids are names of Python modules. */
export function requireFreeId({ records }: Pick<PluginContext, 'records'>, key: PluginKey): void {
  if (!IDENTIFIER.test(key.id)) {
    throw badRequest(
      'The id may have letters, digits and underscores only, and begins with none of the digits.',
      { code: 'invalid_id' },
    )
  }
  if (records.find(key)) throw idTaken()
}
