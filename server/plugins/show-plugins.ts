import type { FunctionItem, FunctionRecord, OwnedFunction } from '#contract/functions.ts'
import type { Tool, ToolItem } from '#contract/tools.ts'
import { toAuthor } from '../lib/author.ts'
import type { Caller } from '../lib/http.ts'
import { packageOfFault } from './sources/packages.ts'
import { mayChangeTool, type PluginContext } from './plugin-context.ts'
import type { PluginRecord } from './store.ts'

type Views = Pick<PluginContext, 'access' | 'users'>

/** Returns a tool as shown in lists. */
export async function toToolItem(
  context: Views,
  caller: Caller,
  tool: PluginRecord,
): Promise<ToolItem> {
  return {
    id: tool.id,
    user_id: tool.userId,
    name: tool.name,
    meta: tool.meta,
    has_user_valves: tool.description.user_valves_schema !== null,
    write_access: await mayChangeTool(context, caller, tool),
    fault: tool.fault,
    specs: tool.description.specs.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: { ...parameters },
    })),
    missing_package: packageOfFault(tool.fault),
    user: await toAuthor(context.users, tool.userId, caller),
    created_at: tool.createdAt,
    updated_at: tool.updatedAt,
    ...(await context.access.describe('tool', tool.id)),
  }
}

/**
 * Returns a tool in full. @NOTE Its source may contain private content of its author, so it is not
 * shown to users who may only use the tool.
 */
export async function toTool(context: Views, caller: Caller, tool: PluginRecord): Promise<Tool> {
  const item = await toToolItem(context, caller, tool)
  return { ...item, content: item.write_access ? tool.content : '', specs: item.specs ?? [] }
}

/** Returns a function as shown in lists. */
export function toFunctionItem(record: PluginRecord): FunctionItem {
  return {
    id: record.id,
    user_id: record.userId,
    name: record.name,
    type: record.kind === 'tool' ? 'event' : record.kind,
    meta: record.meta,
    is_active: record.isActive,
    is_global: record.isGlobal,
    has_user_valves: record.description.user_valves_schema !== null,
    is_built_in: record.builtIn !== null,
    fault: record.fault,
    missing_package: packageOfFault(record.fault),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  }
}

/** Returns a function as shown to administrators in lists. */
export const toOwnedFunction = async (
  { users }: Pick<PluginContext, 'users'>,
  caller: Caller,
  record: PluginRecord,
): Promise<OwnedFunction> => ({
  ...toFunctionItem(record),
  user: await toAuthor(users, record.userId, caller),
})

export const toFunction = async (
  context: Pick<PluginContext, 'users'>,
  caller: Caller,
  record: PluginRecord,
): Promise<FunctionRecord> => ({
  ...(await toOwnedFunction(context, caller, record)),
  content: record.content,
})
