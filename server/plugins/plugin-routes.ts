import { mapInOrder } from '../lib/in-order.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { PluginState, PluginTrace } from '#contract/plugins.ts'
import { notFound, unauthorized } from '../lib/errors.ts'
import { route, type Caller, type Route } from '../lib/http.ts'
import { requireFunction, requireTool, toReply, type PluginContext } from './plugin-context.ts'
import type { PluginKey } from './host-request.ts'
import type { Installs } from './sources/installs.ts'
import { labelOf } from './records.ts'
import { reportOn } from './report.ts'
import { showTrace } from './calls/show-trace.ts'
import type { Settings } from '../settings/index.ts'
import type { PluginRecord } from './store.ts'
import type { OpenTrace, Traces } from './calls/traces.ts'
import { PluginFailure } from './worker/faults.ts'

export interface PluginRoutesDependencies extends PluginContext {
  readonly traces: Traces
  readonly settings: Settings<'ENABLE_ADMIN_CHAT_ACCESS'>
  readonly apiVersion: string
  readonly describeState: () => PluginState
  readonly forgive: (label: string) => void
  /** Reinstalls an environment; null if there is none with this id. */
  readonly reinstall: (environmentId: string) => Promise<unknown> | null
  readonly installs: Installs
}

/** Returns the key of the plugin in a path; throws 404 for an unknown store. */
function toKey({ store, plugin_id: id }: { store: string; plugin_id: string }): PluginKey {
  if (store !== 'tool' && store !== 'function') throw notFound('There is no such plugin.')
  return { store, id }
}

/** Functions are restricted to administrators; a tool to users who may change it. */
async function requireOwn(
  context: PluginContext,
  caller: Caller,
  { store, id }: PluginKey,
): Promise<PluginRecord> {
  if (store === 'tool') return requireTool(context, caller, id, 'write')
  if (caller.role !== 'admin')
    throw unauthorized('You do not have permission for this. Ask an administrator.')
  return requireFunction(context, id)
}

/** Returns the parameters of a hook call from the console. */
function toCall({ store }: PluginRecord, hook: string, args: Record<string, unknown>) {
  if (store === 'tool') return { op: 'tool', hook, fields: { name: hook, arguments: args } }
  const [op, ...rest] = hook.split('.')
  return {
    op: op!,
    hook,
    fields: { body: args, ...(op === 'action' && rest.length > 0 && { sub_id: rest.join('.') }) },
  }
}

async function runOnce(
  context: PluginRoutesDependencies,
  caller: Caller,
  record: PluginRecord,
  call: ReturnType<typeof toCall>,
): Promise<PluginTrace> {
  let open: OpenTrace | null = null
  const items: unknown[] = []
  try {
    const { value } = await context.runner.call({
      ...call,
      record,
      input: call.fields,
      caller,
      origin: null,
      onTrace: (trace) => (open = trace),
      onItems: (more) => void items.push(...more),
    })
    if (items.length > 0) (open as OpenTrace | null)?.done({ ...(value as object), items })
  } catch (error) {
    // The failure is the result the user wants to see, unless the hook never ran.
    if (!(error instanceof PluginFailure)) throw toReply(error)
  }
  return (open as OpenTrace | null)!.trace
}

export function createPluginRoutes(context: PluginRoutesDependencies): Route[] {
  const { plugins } = endpoints
  const { records, traces } = context
  return [
    route(plugins.state, () => context.describeState()),
    route(plugins.inspect, ({ caller, body }) => reportOn(context, caller, body)),
    route(plugins.traces, async ({ caller, query }) => {
      const seesAll = caller.role === 'admin' && context.settings.get('ENABLE_ADMIN_CHAT_ACCESS')
      return await mapInOrder(
        traces.list({ ...query, userId: seesAll ? null : caller.userId }),
        (trace) => showTrace(context, caller, trace),
      )
    }),
    route(plugins.run, async ({ caller, params, body }) => {
      const record = await requireOwn(context, caller, toKey(params))
      return runOnce(context, caller, record, toCall(record, body.hook, body.arguments))
    }),
    route(plugins.recover, async ({ params }) => {
      const key = toKey(params)
      if (!records.find(key)) throw notFound('There is no such plugin.')
      context.forgive(labelOf(key))
      await records.update(key, { fault: null })
    }),
    route(plugins.install, ({ caller, body }) => context.installs.begin(caller, body)),
    route(plugins.environment, ({ caller, params }) =>
      context.installs.show(caller, params.environment_id),
    ),
    route(plugins.stopInstalling, ({ caller, params }) => {
      context.installs.stop(caller, params.environment_id)
    }),
    route(plugins.reinstall, ({ params }) => {
      const installing = context.reinstall(params.environment_id)
      if (!installing) throw notFound('There is no such environment.')
      // The state reports the progress.
      installing.catch(() => undefined)
    }),
  ]
}
