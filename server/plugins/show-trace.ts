import type { PluginTrace } from '#contract/plugins.ts'
import type { Caller } from '../lib/http.ts'
import { mayChangeTool, type PluginContext } from './plugin-context.ts'

/**
 * Whether somebody may read the source of what was called, and with it all it says about itself.
 */
async function mayReadSource(
  context: Pick<PluginContext, 'access' | 'records'>,
  caller: Caller,
  { store, plugin_id: id }: PluginTrace,
): Promise<boolean> {
  if (store === 'server' || caller.role === 'admin') return true
  const record = context.records.find({ store, id })
  // What the gateway brings along has no secrets in its source.
  if (!record) return store === 'tool' && id.startsWith('builtin:')
  return store === 'tool' && (await mayChangeTool(context, caller, record))
}

/**
 * A trace as far as somebody may see it. @NOTE Prints and tracebacks quote the source, and the body
 * a filter or pipe is given holds the instructions of a model, which only those who may change it
 * read.
 */
export async function showTrace(
  context: Pick<PluginContext, 'access' | 'records'>,
  caller: Caller,
  trace: PluginTrace,
): Promise<PluginTrace> {
  if (await mayReadSource(context, caller, trace)) return trace
  const error = trace.error && { ...trace.error, traceback: null, line: null }
  const isFunction = trace.store === 'function'
  return {
    ...trace,
    ...(isFunction && { input: null, result: null }),
    logs: [],
    error,
    is_restricted: true,
  }
}
