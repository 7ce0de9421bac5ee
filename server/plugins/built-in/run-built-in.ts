import type { CallOrigin } from '../../lib/call-origin.ts'
import { isRecord } from '../../lib/is-record.ts'
import { listenTo, type ListenDependencies } from '../calls/listen.ts'
import { stateOf } from '../calls/request-state.ts'
import type { HookCall } from '../calls/hook-call.ts'
import type { OpenTrace } from '../calls/traces.ts'
import { PluginFailure, workerFailure } from '../worker/faults.ts'
import type { CallListeners, CallResult, ChunkSession } from '../worker/worker.ts'
import type { BuiltInCall } from './contract.ts'
import type { BuiltInRecord } from './record.ts'
import { runHook } from './run-hook.ts'

type CallAbout = Omit<HookCall, 'record' | 'op'>

const metadataOf = (origin: CallOrigin | null): Record<string, unknown> =>
  origin ? stateOf(origin).metadata : {}

function toBuiltInCall(
  { caller, origin, signal = new AbortController().signal }: CallAbout,
  listeners: CallListeners,
): BuiltInCall {
  return {
    caller,
    metadata: metadataOf(origin),
    signal,
    emit: (event) => listeners.onEvent?.(event),
    ask: async (event) => listeners.request('event_call', { data: event }, signal),
  }
}

/**
 * Converts an error to the form of plugin errors, so that callers and traces need to handle only
 * one.
 */
function toFailure(error: unknown, signal: AbortSignal | undefined): PluginFailure {
  if (signal?.aborted) return workerFailure('cancelled', 'The call was stopped.')
  if (error instanceof PluginFailure) return error
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  return new PluginFailure({
    code: 'plugin',
    type: name,
    message,
    traceback: stack ?? null,
    line: null,
  })
}

/** Runs a hook of a built-in function like those of Python: with its events, traces and errors. */
export async function runBuiltIn(
  dependencies: ListenDependencies,
  record: BuiltInRecord,
  { op, ...about }: Omit<HookCall, 'record'>,
  trace: OpenTrace,
): Promise<CallResult> {
  const { fields, onItems, signal } = about
  const call = toBuiltInCall(about, listenTo(dependencies, record, about, trace))
  try {
    const value = await runHook(record.builtIn, { op, body: fields?.['body'], call, onItems })
    if (signal?.aborted) throw workerFailure('cancelled', 'The call was stopped.')
    return { value, changes: {} }
  } catch (error) {
    throw toFailure(error, signal)
  }
}

/**
 * Opens the stream hook of a built-in filter. A chunk it fails on is omitted, as with those of
 * Python.
 */
export function openBuiltInChunks(
  dependencies: ListenDependencies,
  record: BuiltInRecord,
  about: CallAbout,
  trace: OpenTrace,
): ChunkSession {
  const listeners = listenTo(dependencies, record, about, trace)
  const call = toBuiltInCall(about, listeners)
  const { builtIn } = record
  return {
    send(chunk) {
      if (builtIn.kind !== 'filter' || !builtIn.stream || !isRecord(chunk))
        return Promise.resolve(chunk)
      try {
        return Promise.resolve(builtIn.stream(chunk, call))
      } catch (error) {
        listeners.onChunkFailed?.(toFailure(error, call.signal))
        return Promise.resolve(null)
      }
    },
    end: () => undefined,
    ended: Promise.resolve(),
  }
}
