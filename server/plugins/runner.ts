import { createHash } from 'node:crypto'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { Caller } from '../lib/http.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Logger } from '../lib/logger.ts'
import type { Settings } from '../settings/index.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Users } from '../users/index.ts'
import { applySteps } from './apply-steps.ts'
import { readDescription, type Description } from './description.ts'
import { createGiven } from './given.ts'
import type { AnswerHost, PluginKey } from './host-request.ts'
import type { Environments } from './python/environments.ts'
import { readRequirements } from './python/requirements.ts'
import { labelOf, type Records } from './records.ts'
import { stateOf } from './request-state.ts'
import { createSpeaker } from './speak.ts'
import type { PluginRecord, PluginStore } from './store.ts'
import type { OpenTrace, Traces } from './traces.ts'
import type { AnswerRequest } from './worker/answer-requests.ts'
import { PluginFailure, workerFailure } from './worker/faults.ts'
import type { Supervisor } from './worker/supervisor.ts'
import type { CallListeners, CallResult, ChunkSession, Worker } from './worker/worker.ts'

/** A source that is to be loaded, stored or not yet. */
export type Loadable = PluginKey & Pick<PluginRecord, 'content' | 'valves'>

/** One call of a hook. */
export interface HookCall {
  readonly record: PluginRecord
  readonly op: string
  /** What the trace calls it; the operation when absent. */
  readonly hook?: string
  readonly fields?: Readonly<Record<string, unknown>>
  /** What the trace shows as its input. */
  readonly input?: unknown
  readonly caller: Caller
  readonly origin: CallOrigin | null
  readonly signal?: AbortSignal
  readonly model?: unknown
  readonly messages?: readonly unknown[]
  readonly body?: unknown
  readonly tools?: ToolsOfCall
  readonly onItems?: CallListeners['onItems']
  readonly onOpen?: CallListeners['onOpen']
  readonly onTrace?: (trace: OpenTrace) => void
}

/** Tools a pipe may call itself. */
export interface ToolsOfCall {
  readonly given: readonly Readonly<Record<string, unknown>>[]
  call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>
}

/** Runs code of plugins in their workers. */
export interface Runner {
  /** Says what a source is without running it. */
  inspect(store: PluginKey['store'], content: string): Promise<Readonly<Record<string, unknown>>>
  /** Loads a source, installing what it needs before. */
  load(source: Loadable): Promise<Description>
  call(call: HookCall): Promise<CallResult>
  /** A call outside of requests and traces, such as one about settings. */
  ask(record: PluginRecord, fields: Readonly<Record<string, unknown>>, caller: Caller | null): Promise<unknown>
  /** Opens the stream hooks of filters that run in one worker each; in order. */
  openChunks(call: Omit<HookCall, 'record' | 'op'> & { readonly records: readonly PluginRecord[] }): Promise<ChunkSession[]>
}

export interface RunnerDependencies {
  readonly records: Records
  readonly store: PluginStore
  readonly environments: Environments
  readonly supervisor: Supervisor
  readonly traces: Traces
  readonly users: Pick<Users, 'get' | 'settings'>
  readonly settings: Pick<Settings, 'boolean' | 'string'>
  readonly secrets: Pick<Secrets, 'derive'>
  readonly answerHost: AnswerHost
  readonly baseUrl: () => string
  readonly log: Logger
}

/** Failures that say the source itself is at fault, whoever calls it. */
const BROKEN = new Set(['syntax', 'load', 'no_class', 'specs'])
const NOBODY = { request: () => Promise.reject(new Error('Nothing can be asked here.')) }

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex')
const keyOf = ({ store, id, content }: Loadable): Record<string, string> => ({ store, id, hash: hashOf(content) })

export function createRunner(dependencies: RunnerDependencies): Runner {
  const { records, store, environments, supervisor, traces, users, settings, secrets, answerHost, baseUrl, log } = dependencies
  /** What each worker has loaded, by plugin: the hash, once it is. */
  const loaded = new WeakMap<Worker, Map<string, { hash: string; done: Promise<Description> }>>()

  async function inspect(storeName: PluginKey['store'], content: string): Promise<Readonly<Record<string, unknown>>> {
    const worker = await supervisor.acquire('inspect', await environments.ensure([]))
    const { value } = await worker.call('inspect', { op: 'inspect', content, store: storeName }, NOBODY)
    return isRecord(value) ? value : {}
  }

  /** While its code is run for the first time a plugin speaks for nobody. */
  const loadingRequest =
    (plugin: PluginKey): AnswerRequest =>
    (method, params, signal) =>
      answerHost({ method, params, caller: null, plugin, origin: null, signal })

  function loadOn(worker: Worker, source: Loadable): Promise<Description> {
    const label = labelOf(source)
    const held = loaded.get(worker) ?? new Map<string, { hash: string; done: Promise<Description> }>()
    loaded.set(worker, held)
    const plugin = keyOf(source)
    const current = held.get(label)
    if (current && current.hash === plugin['hash']) return current.done
    const secret = secrets.derive(`plugin/${label}`).toString('hex')
    const fields = { op: 'load', plugin, content: source.content, secret, valves: source.valves }
    const done = worker.call(label, fields, { request: loadingRequest(source) }).then(({ value }) => readDescription(value))
    const entry = { hash: plugin['hash']!, done }
    held.set(label, entry)
    done.catch(() => held.get(label) === entry && held.delete(label))
    return done
  }

  async function findWorker(source: Loadable, requirements: readonly string[]): Promise<Worker> {
    const environment = await environments.ensure(readRequirements(requirements).requirements)
    return supervisor.acquire(labelOf(source), environment)
  }

  /** Keeps a plugin that cannot even be loaded from being tried with every request. */
  function noteBroken(record: PluginRecord, error: unknown): void {
    if (!(error instanceof PluginFailure) || !BROKEN.has(error.details.code) || !records.find(record)) return
    records.update(record, { fault: `It cannot be loaded: ${error.message}`, ...(record.store === 'function' && { isActive: false }) })
  }

  async function prepare(record: PluginRecord): Promise<Worker> {
    if (record.fault !== null) throw workerFailure('disabled', `The plugin ${record.name} is disabled. ${record.fault}`)
    try {
      const worker = await findWorker(record, record.description.requirements)
      await loadOn(worker, record)
      return worker
    } catch (error) {
      noteBroken(record, error)
      throw error
    }
  }

  /** Which of those who could install plugins did: only what administrators installed may run code in pages. */
  const isTrusted = ({ store: name, userId }: PluginRecord): boolean => name === 'function' || users.get(userId)?.role === 'admin'

  function listen(record: PluginRecord, call: Omit<HookCall, 'record' | 'op'>, trace: OpenTrace): CallListeners {
    const { caller, origin, tools, onItems, onOpen } = call
    const mayExecute = (): boolean => settings.boolean('ENABLE_PLUGIN_EXECUTE') && isTrusted(record)
    const speaker = createSpeaker({ plugin: record, origin, mayExecute, log })
    return {
      onEvent(event) {
        trace.event(event)
        speaker.tell(event)
      },
      onLog: (told) => trace.log(told),
      onNotice: (notice) => trace.log({ stream: 'host', level: 'warning', lines: [JSON.stringify(notice).slice(0, 1000)] }),
      onItems,
      onOpen,
      request(method, params, signal) {
        if (method === 'event_call') {
          trace.event({ call: params['data'] })
          return speaker.ask(params['data'])
        }
        if (method === 'tools.call' && tools) {
          return tools.call(String(params['name']), isRecord(params['arguments']) ? params['arguments'] : {}, signal)
        }
        return answerHost({ method, params, caller, plugin: { store: record.store, id: record.id }, origin, signal })
      },
    }
  }

  function toFields(record: PluginRecord, call: Omit<HookCall, 'record' | 'op'>): Record<string, unknown> {
    const { caller, origin, tools, fields } = call
    const hasUserValves = record.description.user_valves_schema !== null
    return {
      plugin: keyOf(record),
      valves: record.valves ?? {},
      ...(hasUserValves && { user_valves: store.userValves(record, caller.userId) ?? {} }),
      ...(origin && { scope: stateOf(origin).scope }),
      session: origin?.sessionId != null,
      given: { ...createGiven({ ...call, users, baseUrl: baseUrl() }), ...(tools && { tools: tools.given }) },
      ...fields,
    }
  }

  function keepChanges({ origin }: Pick<HookCall, 'origin'>, { changes }: CallResult): void {
    if (!origin) return
    const state = stateOf(origin)
    const metadata = applySteps(state.metadata, changes['metadata'])
    if (isRecord(metadata)) state.metadata = metadata
  }

  function begin(record: PluginRecord, call: Omit<HookCall, 'record' | 'op'>, hook: string): OpenTrace {
    const { caller, origin, input, body } = call
    const place = { chatId: origin?.chatId ?? null, messageId: origin?.messageId ?? null }
    return traces.begin({ plugin: record, hook, userId: caller.userId, ...place, input: input ?? body ?? null })
  }

  async function attempt(call: HookCall, trace: OpenTrace): Promise<CallResult> {
    const { record, op, signal } = call
    const run = async (): Promise<CallResult> => {
      const worker = await prepare(record)
      try {
        return await worker.call(labelOf(record), { op, ...toFields(record, call) }, listen(record, call, trace), signal)
      } catch (error) {
        if (error instanceof PluginFailure && error.details.code === 'not_loaded') loaded.get(worker)?.delete(labelOf(record))
        throw error
      }
    }
    try {
      return await run()
    } catch (error) {
      if (error instanceof PluginFailure && error.details.code === 'not_loaded') return run()
      throw error
    }
  }

  return {
    inspect,
    async load(source) {
      const found = await inspect(source.store, source.content)
      const lines = Array.isArray(found['requirements'])
        ? found['requirements'].filter((line): line is string => typeof line === 'string')
        : []
      const { refused } = readRequirements(lines)
      const [first] = refused
      if (first) throw workerFailure('requirements', `The requirement "${first.line}" is refused. ${first.reason}`)
      return loadOn(await findWorker(source, lines), source)
    },
    async call(call) {
      const trace = begin(call.record, call, call.hook ?? call.op)
      call.onTrace?.(trace)
      try {
        const result = await attempt(call, trace)
        keepChanges(call, result)
        trace.done(result.value)
        return result
      } catch (error) {
        trace.failed(error)
        throw error
      }
    },
    async ask(record, fields, caller) {
      const worker = await prepare(record)
      const given = caller && { given: createGiven({ users, baseUrl: baseUrl(), caller, origin: null }) }
      const listeners = { request: loadingRequest(record) }
      const { value } = await worker.call(labelOf(record), { plugin: keyOf(record), ...given, ...fields }, listeners)
      return value
    },
    async openChunks({ records: wanted, ...call }) {
      const groups: { worker: Worker; records: PluginRecord[] }[] = []
      for (const record of wanted) {
        const worker = await prepare(record)
        const last = groups.at(-1)
        if (last?.worker === worker) last.records.push(record)
        else groups.push({ worker, records: [record] })
      }
      return groups.map(({ worker, records: members }) => {
        const [first] = members
        const trace = begin(first!, call, 'stream')
        const { plugin: _plugin, valves: _valves, user_valves: _own, ...shared } = toFields(first!, call)
        const plugins = members.map((record) => {
          const { plugin, valves, user_valves } = toFields(record, call)
          return { plugin, valves, ...(user_valves !== undefined && { user_valves }) }
        })
        const session = worker.openChunks(labelOf(first!), { ...shared, op: 'stream', plugins }, listen(first!, call, trace))
        return {
          send: session.send,
          end() {
            session.end()
            trace.done(null)
          },
        }
      })
    },
  }
}
