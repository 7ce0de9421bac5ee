import { createHash } from 'node:crypto'
import type { Logger } from '../lib/logger.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Users } from '../users/index.ts'
import { readDescription, type Description } from './description.ts'
import type { AnswerHost, PluginKey } from './host-request.ts'
import type { Environments } from './python/environments.ts'
import { CANNOT_LOAD } from './packages.ts'
import { readRequirements } from './python/requirements.ts'
import { createSourceReader } from './read-source.ts'
import { labelOf, type Records } from './records.ts'
import type { PluginRecord } from './store.ts'
import { domainOf } from './trust-domain.ts'
import type { AnswerRequest } from './worker/answer-requests.ts'
import { PluginFailure, workerFailure } from './worker/faults.ts'
import type { Supervisor, WorkerPlace } from './worker/supervisor.ts'
import type { Worker } from './worker/worker.ts'

/** A source and whose it is, stored or not yet. */
export type Source = PluginKey & Pick<PluginRecord, 'content' | 'authorId'>
/** A source that is to be loaded. */
export type Loadable = Source & Pick<PluginRecord, 'valves'>
/** A source that may come with packages it does not ask for itself. */
export type NewSource = Loadable & { readonly requirements?: readonly string[] }

/** Brings plugins into workers. */
export interface Loader {
  /** Says what a source is without running it. */
  inspect(source: Source): Promise<Readonly<Record<string, unknown>>>
  /**
   * The packages a source asks for and those that come with it, read without running it; fails for
   * a line that is refused.
   */
  requirementsOf(source: NewSource): Promise<string[]>
  /** Loads a source, installing what it needs before. */
  load(source: NewSource): Promise<Description>
  /** A worker that has the stored plugin loaded; a plugin that cannot be loaded is disabled. */
  prepare(record: PluginRecord): Promise<Worker>
  /** The worker says it has it not. */
  forget(worker: Worker, key: PluginKey): void
  /**
   * Has code that is not needed any more leave the processes it is loaded in, once its calls are
   * over.
   */
  unload(key: PluginKey): void
  /** Requests of code that runs for nobody. */
  requestForNobody(plugin: PluginKey): AnswerRequest
}

export interface LoaderDependencies {
  readonly records: Records
  readonly users: Pick<Users, 'get'>
  readonly environments: Environments
  readonly supervisor: Supervisor
  readonly secrets: Pick<Secrets, 'derive'>
  readonly answerHost: AnswerHost
  readonly log: Logger
}

/** Failures that say the source itself is at fault, whoever calls it. */
const BROKEN = new Set(['syntax', 'load', 'no_class', 'specs'])
const NOBODY = { request: () => Promise.reject(new Error('Nothing can be asked here.')) }

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex')

/** A plugin as the host is told which one is meant. */
export const toHostKey = ({ store, id, content }: PluginKey & Pick<PluginRecord, 'content'>) => ({
  store,
  id,
  hash: hashOf(content),
})

export function createLoader({
  records,
  users,
  environments,
  supervisor,
  secrets,
  answerHost,
  log,
}: LoaderDependencies): Loader {
  /** What each worker has loaded, by plugin: the hash, once it is. */
  const loaded = new WeakMap<Worker, Map<string, { hash: string; done: Promise<Description> }>>()

  const reader = createSourceReader({ users, environments, supervisor })
  const requestForNobody =
    (plugin: PluginKey): AnswerRequest =>
    (method, params, signal) =>
      answerHost({
        method,
        params,
        caller: null,
        plugin: { store: plugin.store, id: plugin.id },
        origin: null,
        signal,
      })

  const placeOf = (source: Source): WorkerPlace => ({
    plugin: labelOf(source),
    domain: domainOf(users, source),
    toolAuthor: source.store === 'tool' ? source.authorId : null,
  })

  function loadOn(worker: Worker, source: Loadable): Promise<Description> {
    const label = labelOf(source)
    const held =
      loaded.get(worker) ?? new Map<string, { hash: string; done: Promise<Description> }>()
    loaded.set(worker, held)
    const plugin = toHostKey(source)
    const current = held.get(label)
    if (current?.hash === plugin.hash) return current.done
    const secret = secrets.derive(`plugin/${label}`).toString('hex')
    const fields = { op: 'load', plugin, content: source.content, secret, valves: source.valves }
    const listeners = { request: requestForNobody(source) }
    const done = worker
      .call({ plugin: label, fields, listeners })
      .then(({ value }) => readDescription(value))
    const entry = { hash: plugin.hash, done }
    held.set(label, entry)
    done.catch(() => held.get(label) === entry && held.delete(label))
    return done
  }

  async function findWorker(source: Loadable, requirements: readonly string[]): Promise<Worker> {
    const environment = await environments.ensure(readRequirements(requirements).requirements)
    for (;;) {
      const place = placeOf(source)
      const worker = await supervisor.acquire(place, environment)
      // The author may have been demoted while a process was waited for.
      if (placeOf(source).domain === place.domain) return worker
    }
  }

  /** Keeps a plugin that cannot even be loaded from being tried with every request. */
  function noteBroken(record: PluginRecord, error: unknown): void {
    if (
      !(error instanceof PluginFailure) ||
      !BROKEN.has(error.details.code) ||
      !records.find(record)
    )
      return
    const consequence = record.store === 'function' ? 'switched off' : 'disabled'
    log.error(
      { error, plugin: labelOf(record) },
      `a plugin cannot be loaded any more and was ${consequence}`,
    )
    records.update(record, {
      fault: `${CANNOT_LOAD}${error.message}`,
      ...(record.store === 'function' && { isActive: false }),
    })
  }

  return {
    ...reader,
    requestForNobody,
    async load(source) {
      const lines = await reader.requirementsOf(source)
      const description = await loadOn(await findWorker(source, lines), source)
      // The packages that were added are needed with every later start, too.
      return { ...description, requirements: lines }
    },
    async prepare(record) {
      if (record.fault !== null)
        throw workerFailure('disabled', `The plugin ${record.name} is disabled. ${record.fault}`)
      try {
        const worker = await findWorker(record, record.description.requirements)
        await loadOn(worker, record)
        return worker
      } catch (error) {
        noteBroken(record, error)
        throw error
      }
    },
    forget: (worker, key) => void loaded.get(worker)?.delete(labelOf(key)),
    unload({ store, id }) {
      const plugin = labelOf({ store, id })
      for (const { worker } of supervisor.workers()) {
        if (!loaded.get(worker)?.delete(plugin)) continue
        worker
          .call({ plugin, fields: { op: 'unload', plugin: { store, id } }, listeners: NOBODY })
          .catch((error: unknown) => {
            log.debug({ error, plugin }, 'a plugin went with its process before it was unloaded')
          })
      }
    },
  }
}
