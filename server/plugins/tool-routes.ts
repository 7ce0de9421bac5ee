import { filterInOrder, mapInOrder } from '../lib/in-order.ts'
import type { ToolItem } from '#contract/tools.ts'
import { endpoints } from '#contract/endpoints.ts'
import { route, type Caller, type Route } from '../lib/http.ts'
import { createPlugin, updatePlugin } from './change-plugins.ts'
import { loadAddress } from './sources/load-address.ts'
import { mayChangeTool, mayUseTool, requireTool, type PluginContext } from './plugin-context.ts'
import { toTool, toToolItem } from './show-plugins.ts'
import { createValveRoutes } from './valve-routes.ts'

/** Returns entries of the tool list that are no plugins. */
export type MoreTools = (caller: Caller) => readonly ToolItem[] | Promise<readonly ToolItem[]>

export function createToolRoutes(context: PluginContext, moreTools: MoreTools): Route[] {
  const { access, records } = context
  const usable = async (caller: Caller): Promise<ToolItem[]> =>
    await mapInOrder(
      await filterInOrder(records.all('tool'), (tool) => mayUseTool(context, caller, tool)),
      (tool) => toToolItem(context, caller, tool),
    )
  const share = (
    caller: Caller,
    id: string,
    grants: Parameters<typeof access.replace>[2],
  ): Promise<void> => access.replace(caller, { type: 'tool', id }, grants)

  return [
    route(endpoints.tools.list, async ({ caller }) => [
      ...(await usable(caller)),
      ...(await moreTools(caller)),
    ]),
    route(endpoints.tools.page, async ({ caller }) => {
      if (await context.groups.allows(caller, 'workspace.tools')) context.prepare()
      return usable(caller)
    }),
    route(
      endpoints.tools.export,
      async ({ caller }) =>
        await mapInOrder(
          await filterInOrder(records.all('tool'), (tool) => mayChangeTool(context, caller, tool)),
          (tool) => toTool(context, caller, tool),
        ),
    ),
    route(endpoints.tools.loadAddress, ({ body, signal }) =>
      loadAddress(context, body.url, signal),
    ),
    route(endpoints.tools.create, async ({ caller, body }) => {
      const tool = await createPlugin(context, caller, { store: 'tool', input: body })
      await share(caller, tool.id, body)
      return toTool(context, caller, tool)
    }),
    route(endpoints.tools.get, async ({ caller, params }) =>
      toTool(context, caller, await requireTool(context, caller, params.tool_id, 'read')),
    ),
    route(endpoints.tools.update, async ({ caller, params, body }) => {
      const tool = await updatePlugin(
        context,
        caller,
        await requireTool(context, caller, params.tool_id, 'write'),
        body,
      )
      await share(caller, tool.id, body)
      return toTool(context, caller, tool)
    }),
    route(endpoints.tools.updateAccess, async ({ caller, params, body }) => {
      const tool = await requireTool(context, caller, params.tool_id, 'write')
      await share(caller, tool.id, body)
      return toTool(context, caller, tool)
    }),
    route(endpoints.tools.remove, async ({ caller, params }) => {
      const tool = await requireTool(context, caller, params.tool_id, 'write')
      await records.remove(tool)
      await access.remove('tool', tool.id)
    }),
    ...createValveRoutes(context, endpoints.tools, ({ caller, params }, need) =>
      requireTool(context, caller, params.tool_id, need),
    ),
  ]
}
