import type { z } from '#contract/lazy-zod.ts'
import type { ValveTable } from '#contract/valves.ts'
import { route, type Call, type Route } from '../lib/http.ts'
import type { PluginContext } from './plugin-context.ts'
import type { PluginRecord } from './store.ts'
import { readSpec, updateUserValves, updateValves } from './valves.ts'

/** Finds the plugin of a call; throws unless the caller may use it, or change it for `write`. */
type RequirePlugin<Params extends z.ZodType> = (
  call: Pick<Call<ValveTable<Params>['valves']>, 'caller' | 'params'>,
  need: 'read' | 'write',
) => PluginRecord | Promise<PluginRecord>

/** Returns the routes of the settings of a plugin: the shared ones, and each user's own. */
export function createValveRoutes<Params extends z.ZodType>(
  context: PluginContext,
  table: ValveTable<Params>,
  requirePlugin: RequirePlugin<Params>,
): Route[] {
  return [
    route(table.valves, async (call) => (await requirePlugin(call, 'write')).valves ?? {}),
    route(table.valvesSpec, async (call) =>
      readSpec(context, call.caller, await requirePlugin(call, 'write'), 'valves'),
    ),
    route(table.updateValves, async (call) =>
      updateValves(context, call.caller, await requirePlugin(call, 'write'), call.body),
    ),
    route(
      table.userValves,
      async (call) =>
        (await context.store.userValves(await requirePlugin(call, 'read'), call.caller.userId)) ??
        {},
    ),
    route(table.userValvesSpec, async (call) =>
      readSpec(context, call.caller, await requirePlugin(call, 'read'), 'user_valves'),
    ),
    route(table.updateUserValves, async (call) =>
      updateUserValves(context, call.caller, await requirePlugin(call, 'read'), call.body),
    ),
  ]
}
