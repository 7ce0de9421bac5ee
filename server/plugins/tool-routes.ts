import type { ToolItem } from '#contract/tools.ts'
import { endpoints } from '#contract/endpoints.ts'
import { route, type Caller, type Route } from '../lib/http.ts'
import { createPlugin, updatePlugin } from './change-plugins.ts'
import { loadAddress } from './load-address.ts'
import { mayChangeTool, mayUseTool, requireTool, type PluginContext } from './plugin-context.ts'
import { toTool, toToolItem } from './show-plugins.ts'
import { readSpec, updateUserValves, updateValves } from './valves.ts'

/** Entries of the tool list that are no plugins. */
export type MoreTools = (caller: Caller) => readonly ToolItem[] | Promise<readonly ToolItem[]>

export function createToolRoutes(context: PluginContext, moreTools: MoreTools): Route[] {
  const { access, records } = context
  const usable = (caller: Caller): ToolItem[] =>
    records
      .all('tool')
      .filter((tool) => mayUseTool(context, caller, tool))
      .map((tool) => toToolItem(context, caller, tool))
  const share = (caller: Caller, id: string, grants: Parameters<typeof access.replace>[2]): void =>
    access.replace(caller, { type: 'tool', id }, grants)

  return [
    route(endpoints.tools.list, async ({ caller }) => [
      ...usable(caller),
      ...(await moreTools(caller)),
    ]),
    route(endpoints.tools.page, ({ caller }) => {
      if (context.groups.allows(caller, 'workspace.tools')) context.prepare()
      return usable(caller)
    }),
    route(endpoints.tools.export, ({ caller }) =>
      records
        .all('tool')
        .filter((tool) => mayChangeTool(context, caller, tool))
        .map((tool) => toTool(context, caller, tool)),
    ),
    route(endpoints.tools.loadAddress, ({ body, signal }) =>
      loadAddress(context, body.url, signal),
    ),
    route(endpoints.tools.create, async ({ caller, body }) => {
      const tool = await createPlugin(context, caller, { store: 'tool', input: body })
      share(caller, tool.id, body)
      return toTool(context, caller, tool)
    }),
    route(endpoints.tools.get, ({ caller, params }) =>
      toTool(context, caller, requireTool(context, caller, params.tool_id, 'read')),
    ),
    route(endpoints.tools.update, async ({ caller, params, body }) => {
      const tool = await updatePlugin(
        context,
        caller,
        requireTool(context, caller, params.tool_id, 'write'),
        body,
      )
      share(caller, tool.id, body)
      return toTool(context, caller, tool)
    }),
    route(endpoints.tools.updateAccess, ({ caller, params, body }) => {
      const tool = requireTool(context, caller, params.tool_id, 'write')
      share(caller, tool.id, body)
      return toTool(context, caller, tool)
    }),
    route(endpoints.tools.remove, ({ caller, params }) => {
      const tool = requireTool(context, caller, params.tool_id, 'write')
      records.remove(tool)
      access.remove('tool', tool.id)
      return true as const
    }),
    ...createValveRoutes(context),
  ]
}

function createValveRoutes(context: PluginContext): Route[] {
  const { store } = context
  return [
    route(
      endpoints.tools.valves,
      ({ caller, params }) => requireTool(context, caller, params.tool_id, 'write').valves ?? {},
    ),
    route(endpoints.tools.valvesSpec, ({ caller, params }) =>
      readSpec(context, caller, requireTool(context, caller, params.tool_id, 'write'), 'valves'),
    ),
    route(endpoints.tools.updateValves, ({ caller, params, body }) =>
      updateValves(context, caller, requireTool(context, caller, params.tool_id, 'write'), body),
    ),
    route(
      endpoints.tools.userValves,
      ({ caller, params }) =>
        store.userValves(requireTool(context, caller, params.tool_id, 'read'), caller.userId) ?? {},
    ),
    route(endpoints.tools.userValvesSpec, ({ caller, params }) =>
      readSpec(
        context,
        caller,
        requireTool(context, caller, params.tool_id, 'read'),
        'user_valves',
      ),
    ),
    route(endpoints.tools.updateUserValves, ({ caller, params, body }) =>
      updateUserValves(context, caller, requireTool(context, caller, params.tool_id, 'read'), body),
    ),
  ]
}
