import { mapInOrder } from '../../lib/in-order.ts'
import type { ProviderTokens } from '../../auth/index.ts'
import { namesLostSession } from '../../lib/call-origin.ts'
import type { Caller } from '../../lib/http.ts'
import { isRecord } from '../../lib/is-record.ts'
import { untilAborted } from '../../lib/timing/until-aborted.ts'
import type { Users } from '../../users/index.ts'
import { applySteps } from './apply-steps.ts'
import { isBuiltIn, type BuiltInRecord } from '../built-in/record.ts'
import { openBuiltInChunks, runBuiltIn } from '../built-in/run-built-in.ts'
import { openCallBack, type CallBack, type IssueCallToken } from './call-back.ts'
import { createGiven } from './given.ts'
import { listenTo, type ListenDependencies } from './listen.ts'
import { toHostKey, type Loader } from '../loader.ts'
import { labelOf } from '../records.ts'
import { stateOf } from './request-state.ts'
import { requireActive } from '../require-active.ts'
import type { PluginRecord, PluginStore } from '../store.ts'
import type { OpenTrace, Traces } from './traces.ts'
import { PluginFailure, workerFailure } from '../worker/faults.ts'
import type { CallResult, ChunkSession, Worker } from '../worker/worker.ts'
import type { HookCall } from './hook-call.ts'

export interface RunnerDependencies extends ListenDependencies {
  readonly loader: Pick<Loader, 'prepare' | 'forget' | 'requestForNobody'>
  readonly store: PluginStore
  readonly traces: Traces
  readonly users: Pick<Users, 'get' | 'settings'>
  readonly baseUrl: () => string
  readonly issueCallToken: IssueCallToken
  /** Returns tokens of the provider a caller signed in with; null if there are none. */
  readonly providerTokens: (caller: Caller) => Promise<ProviderTokens | null>
}

type CallAbout = Omit<HookCall, 'record' | 'op'> & { readonly oauthToken?: unknown }

/**
 * Only for plugins that request it by name; others never receive it. The refresh token is not
 * included.
 */
async function readOAuthToken(
  { providerTokens }: RunnerDependencies,
  record: PluginRecord,
  caller: Caller,
): Promise<unknown> {
  if (!record.content.includes('__oauth_token__')) return null
  const tokens = await providerTokens(caller)
  if (!tokens) return null
  const { refresh_token: _kept, ...handedOut } = tokens
  return handedOut
}

/** Returns the fields sent to the host with every call on a loaded plugin. */
async function toFields(
  { store, users, baseUrl }: RunnerDependencies,
  record: PluginRecord,
  call: CallAbout,
  { headers }: Pick<CallBack, 'headers'>,
): Promise<Record<string, unknown>> {
  const { caller, origin, tools, fields } = call
  const hasUserValves = record.description.user_valves_schema !== null
  return {
    plugin: toHostKey(record),
    valves: record.valves ?? {},
    ...(hasUserValves && { user_valves: (await store.userValves(record, caller.userId)) ?? {} }),
    ...(origin && { scope: stateOf(origin).scope }),
    session: origin !== null && (origin.sessionId !== null || namesLostSession(origin)),
    given: {
      ...(await createGiven({ ...call, users, baseUrl: baseUrl(), headers })),
      ...(tools && { tools: tools.given }),
    },
    ...fields,
  }
}

/** Keeps a plugin's changes of the metadata for the next one. */
function keepChanges({ origin }: Pick<HookCall, 'origin'>, { changes }: CallResult): void {
  if (!origin) return
  const state = stateOf(origin)
  const metadata = applySteps(state.metadata, changes['metadata'])
  if (isRecord(metadata)) state.metadata = metadata
}

function beginTrace(
  { traces }: RunnerDependencies,
  record: PluginRecord,
  call: CallAbout,
  hook: string,
): OpenTrace {
  const { caller, origin, callId = null, input, body } = call
  const place = { chatId: origin?.chatId ?? null, messageId: origin?.messageId ?? null }
  return traces.begin({
    plugin: record,
    hook,
    callId,
    userId: caller.userId,
    ...place,
    input: input ?? body ?? null,
  })
}

const isNotLoaded = (error: unknown): boolean =>
  error instanceof PluginFailure && error.details.code === 'not_loaded'

/**
 * Returns a worker that has the plugin loaded. Loading may take long, because packages are
 * installed for it, and continues for the next call.
 */
async function prepareFor(
  { loader }: RunnerDependencies,
  record: PluginRecord,
  signal: AbortSignal | undefined,
): Promise<Worker> {
  const worker = loader.prepare(record)
  if (!signal) return worker
  return untilAborted(worker, signal).catch((error: unknown) => {
    throw signal.aborted ? workerFailure('cancelled', 'The call was stopped.') : error
  })
}

/** Makes one attempt; if the worker has lost the plugin, the next attempt loads it again. */
async function attempt(
  dependencies: RunnerDependencies,
  call: HookCall,
  trace: OpenTrace,
): Promise<CallResult> {
  const { loader } = dependencies
  const { record, op, signal } = call
  if (isBuiltIn(record)) return runBuiltIn(dependencies, record, call, trace)
  const worker = await prepareFor(dependencies, record, signal)
  const listeners = listenTo(dependencies, record, call, trace)
  const callBack = openCallBack(dependencies.issueCallToken, call.caller, call.origin)
  try {
    const oauthToken = await readOAuthToken(dependencies, record, call.caller)
    const fields = {
      op,
      ...(await toFields(dependencies, record, { ...call, oauthToken }, callBack)),
    }
    return await worker.call({ plugin: labelOf(record), fields, listeners, signal })
  } catch (error) {
    if (isNotLoaded(error)) loader.forget(worker, record)
    throw error
  } finally {
    callBack.end()
  }
}

type ChunksCall = CallAbout & { readonly records: readonly PluginRecord[] }

/** Filters whose chunks pass through one session. */
type ChunkGroup =
  | { readonly worker: Worker; readonly members: PluginRecord[] }
  /** Code of the gateway itself. */
  | { readonly worker: null; readonly members: readonly [BuiltInRecord] }

/** Groups filters in order; adjacent ones that share a worker form one group. */
async function groupByWorker(
  dependencies: RunnerDependencies,
  { records, signal }: Pick<ChunksCall, 'records' | 'signal'>,
): Promise<ChunkGroup[]> {
  const groups: ChunkGroup[] = []
  for (const record of records) {
    if (isBuiltIn(record)) {
      groups.push({ worker: null, members: [record] })
      continue
    }
    const worker = await prepareFor(dependencies, record, signal)
    const last = groups.at(-1)
    if (last?.worker === worker) last.members.push(record)
    else groups.push({ worker, members: [record] })
  }
  return groups
}

/** Opens one session for each run of filters that share a worker. */
async function openChunks(
  dependencies: RunnerDependencies,
  { records, ...call }: ChunksCall,
): Promise<ChunkSession[]> {
  const groups = await groupByWorker(dependencies, { records, signal: call.signal })
  return await mapInOrder(groups, async (group) => {
    const traces = new Map(
      group.members.map((record) => [record.id, beginTrace(dependencies, record, call, 'stream')]),
    )
    const session = await openSession(dependencies, group, call, traces)
    let failure: unknown = null
    return {
      send: (chunk) =>
        session.send(chunk).catch((error: unknown) => {
          failure = error
          throw error
        }),
      end() {
        session.end()
        for (const trace of traces.values())
          if (failure === null) trace.done(null)
          else trace.failed(failure)
      },
      ended: session.ended,
    }
  })
}

async function openSession(
  dependencies: RunnerDependencies,
  { worker, members }: ChunkGroup,
  call: CallAbout,
  traces: ReadonlyMap<string, OpenTrace>,
): Promise<ChunkSession> {
  if (worker === null)
    return openBuiltInChunks(dependencies, members[0], call, traces.get(members[0].id)!)
  const first = members[0]!
  const callBack = openCallBack(dependencies.issueCallToken, call.caller, call.origin)
  const {
    plugin: _plugin,
    valves: _valves,
    user_valves: _own,
    ...shared
  } = await toFields(dependencies, first, call, callBack)
  const plugins = await mapInOrder(members, async (record) => {
    const { plugin, valves, user_valves } = await toFields(dependencies, record, call, callBack)
    return { plugin, valves, ...(user_valves !== undefined && { user_valves }) }
  })
  const listening = members.map(
    (record) => [record.id, listenTo(dependencies, record, call, traces.get(record.id)!)] as const,
  )
  const listeners = { ...listening[0]![1], members: new Map(listening) }
  const fields = { ...shared, op: 'stream', plugins }
  try {
    const session = worker.openChunks({
      plugin: labelOf(first),
      fields,
      listeners,
      signal: call.signal,
    })
    void session.ended.then(() => callBack.end())
    return session
  } catch (error) {
    callBack.end()
    throw error
  }
}

/** Runs code of plugins in their workers. */
export class Runner {
  readonly #deps: RunnerDependencies

  constructor(dependencies: RunnerDependencies) {
    this.#deps = dependencies
  }

  async call(call: HookCall): Promise<CallResult> {
    requireActive(call.caller)
    const trace = beginTrace(this.#deps, call.record, call, call.hook ?? call.op)
    call.onTrace?.(trace)
    const run = (): Promise<CallResult> => attempt(this.#deps, call, trace)
    try {
      const result = await run().catch((error: unknown) =>
        isNotLoaded(error) ? run() : Promise.reject(error as Error),
      )
      keepChanges(call, result)
      trace.done(result.value)
      return result
    } catch (error) {
      trace.failed(error)
      throw error
    }
  }

  /** Makes a call outside of requests and traces, such as one about settings. */
  async ask(
    record: PluginRecord,
    fields: Readonly<Record<string, unknown>>,
    caller: Caller | null,
  ): Promise<unknown> {
    const { loader, users, baseUrl } = this.#deps
    const worker = await loader.prepare(record)
    const given = caller && {
      given: await createGiven({
        users,
        baseUrl: baseUrl(),
        caller,
        origin: null,
      }),
    }
    const listeners = { request: loader.requestForNobody(record) }
    const { value } = await worker.call({
      plugin: labelOf(record),
      fields: { plugin: toHostKey(record), ...given, ...fields },
      listeners,
    })
    return value
  }

  /** Opens the stream hooks of filters, grouped by worker; in order. */
  openChunks(
    call: Omit<HookCall, 'record' | 'op'> & { readonly records: readonly PluginRecord[] },
  ): Promise<ChunkSession[]> {
    return openChunks(this.#deps, call)
  }
}
