import { isRecord, type Fields } from '../../lib/is-record.ts'
import { workerFailure } from '../worker/faults.ts'
import type { CallListeners } from '../worker/worker.ts'
import type { BuiltInCall, BuiltInFunction, BuiltInPipe, PipeItem } from './contract.ts'

export interface Hook {
  readonly op: string
  readonly body: unknown
  readonly call: BuiltInCall
  readonly onItems?: CallListeners['onItems']
}

const toItem = (item: PipeItem): Fields =>
  typeof item === 'string' ? { text: item } : { json: item }

/** Forwards the output of a pipe, item by item, as fast as it is consumed. */
async function runPipe(
  plugin: BuiltInPipe,
  body: Fields,
  { call, onItems }: Hook,
): Promise<unknown> {
  let items = 0
  for await (const item of plugin.pipe(body, call)) {
    if (call.signal.aborted) break
    items += 1
    await onItems?.([toItem(item)])
  }
  return { form: 'stream', items }
}

/**
 * Runs one hook of a built-in function; the result is that of the protocol (PROTOCOL.md,
 * Operations).
 */
export async function runHook(plugin: BuiltInFunction, hook: Hook): Promise<unknown> {
  const { op, call } = hook
  const body = isRecord(hook.body) ? hook.body : {}
  if (plugin.kind === 'pipe' && op === 'pipe') return runPipe(plugin, body, hook)
  if (plugin.kind === 'action' && op === 'action') return { value: await plugin.action(body, call) }
  if (plugin.kind === 'filter' && op === 'inlet' && plugin.inlet)
    return { form: 'other', value: await plugin.inlet(body, call) }
  if (plugin.kind === 'filter' && op === 'outlet' && plugin.outlet)
    return { form: 'other', value: await plugin.outlet(body, call) }
  throw workerFailure('missing', `The function ${plugin.name} has no hook "${op}".`)
}
