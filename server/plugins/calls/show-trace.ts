import type { PluginTrace } from '#contract/plugins.ts'
import type { Caller } from '../../lib/http.ts'
import { mayChangeTool, type PluginContext } from '../plugin-context.ts'

/**
 * Returns true if a caller may read the source of the called plugin, and therefore all of its
 * output.
 */
async function mayReadSource(
  context: Pick<PluginContext, 'access' | 'records'>,
  caller: Caller,
  { store, plugin_id: id }: PluginTrace,
): Promise<boolean> {
  if (store === 'server' || caller.role === 'admin') return true
  const record = context.records.find({ store, id })
  // Built-in code has no secrets in its source.
  if (!record) return store === 'tool' && id.startsWith('builtin:')
  return store === 'tool' && (await mayChangeTool(context, caller, record))
}

/**
 * Returns the parts of a trace that a caller may see. @NOTE Prints and tracebacks quote the source,
 * and the body of a filter or pipe contains the instructions of a model, which only users who may
 * change it can read.
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
