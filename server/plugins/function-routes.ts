import { mapInOrder } from '../lib/in-order.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { SyncedFunction } from '#contract/functions.ts'
import { notFound } from '../lib/errors.ts'
import { route, type Caller, type Route } from '../lib/http.ts'
import { createPlugin, loadPlugin, updatePlugin } from './change-plugins.ts'
import { loadAddress } from './sources/load-address.ts'
import { forReply, requireFunction, requireStored, type PluginContext } from './plugin-context.ts'
import { toFunction, toFunctionItem, toOwnedFunction } from './show-plugins.ts'
import type { PluginRecord } from './store.ts'
import { createValveRoutes } from './valve-routes.ts'

export function createFunctionRoutes(context: PluginContext): Route[] {
  const { records } = context
  const { functions } = endpoints
  return [
    route(functions.list, ({ caller }) =>
      records
        .all('function')
        .filter(({ isActive }) => isActive || caller.role === 'admin')
        .map(toFunctionItem),
    ),
    route(functions.page, ({ caller }) => {
      context.prepare()
      return mapInOrder(records.all('function'), (record) =>
        toOwnedFunction(context, caller, record),
      )
    }),
    // Built-in functions cannot be imported by another gateway.
    route(functions.export, ({ caller, query }) =>
      mapInOrder(
        records.all('function').filter(({ builtIn }) => builtIn === null),
        async (record) => ({
          ...(await toFunction(context, caller, record)),
          ...(query?.include_valves && { valves: record.valves ?? {} }),
        }),
      ),
    ),
    route(functions.loadAddress, ({ body, signal }) => loadAddress(context, body.url, signal)),
    route(functions.sync, async ({ caller, body }) => {
      await syncFunctions(context, caller, body.functions)
      return records.all('function').map(toFunctionItem)
    }),
    route(functions.create, async ({ caller, body }) =>
      toFunction(
        context,
        caller,
        await createPlugin(context, caller, { store: 'function', input: body }),
      ),
    ),
    route(functions.get, ({ caller, params }) =>
      toFunction(context, caller, requireFunction(context, params.function_id)),
    ),
    route(functions.toggle, async ({ caller, params }) =>
      toFunction(
        context,
        caller,
        await toggle(context, requireFunction(context, params.function_id)),
      ),
    ),
    route(functions.toggleGlobal, async ({ caller, params }) => {
      const record = requireFunction(context, params.function_id)
      return toFunction(
        context,
        caller,
        await records.update(record, { isGlobal: !record.isGlobal }),
      )
    }),
    route(functions.update, async ({ caller, params, body }) =>
      toFunction(
        context,
        caller,
        await updatePlugin(
          context,
          caller,
          requireStored(requireFunction(context, params.function_id)),
          body,
        ),
      ),
    ),
    route(functions.remove, ({ params }) =>
      records.remove(requireStored(requireFunction(context, params.function_id))),
    ),
    // Users have settings for active functions only; all others are restricted to administrators.
    ...createValveRoutes(context, functions, ({ caller, params }, need) => {
      const record = requireFunction(context, params.function_id)
      if (need === 'read' && !record.isActive && caller.role !== 'admin')
        throw notFound('There is no such function.')
      return record
    }),
  ]
}

/**
 * Checks a function before activating it, so that an administrator immediately learns what is
 * missing.
 */
async function toggle(context: PluginContext, record: PluginRecord): Promise<PluginRecord> {
  const { records, loader } = context
  if (record.isActive) {
    loader.unload(record)
    return records.update(record, { isActive: false })
  }
  if (record.builtIn === null) await forReply(loader.load(record))
  return records.update(requireFunction(context, record.id), { isActive: true, fault: null })
}

/** Loads everything first, so that an error leaves everything unchanged. */
async function syncFunctions(
  context: PluginContext,
  caller: Caller,
  wanted: readonly SyncedFunction[],
): Promise<void> {
  const { records, storage } = context
  const loaded: PluginRecord[] = []
  for (const { is_active: isActive, is_global: isGlobal, ...input } of wanted) {
    const before = records.find({ store: 'function', id: input.id })
    if (before) requireStored(before)
    loaded.push({
      ...(await loadPlugin(context, caller, { store: 'function', input, before })),
      isActive,
      isGlobal,
    })
  }
  const kept = new Set(loaded.map(({ id }) => id))
  await storage.transaction(async () => {
    for (const record of records.all('function'))
      if (record.builtIn === null && !kept.has(record.id)) await records.remove(record)
    for (const record of loaded) {
      if (records.find(record)) await records.update(record, record)
      else await records.add(record)
    }
  })
}
