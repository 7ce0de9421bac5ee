import { createHash } from 'node:crypto'
import { readDescription, type Description } from './description.ts'
import type { PluginKey } from './host-request.ts'
import { CANNOT_LOAD } from './packages.ts'
import { readRequirements } from './python/requirements.ts'
import { SourceReader } from './read-source.ts'
import { labelOf } from './records.ts'
import type { PluginRecord } from './store.ts'
import { domainOf } from './trust-domain.ts'
import type { AnswerRequest } from './worker/answer-requests.ts'
import { PluginFailure, workerFailure } from './worker/faults.ts'
import type { WorkerPlace } from './worker/supervisor.ts'
import type { Worker } from './worker/worker.ts'
import type { Source, NewSource, LoaderDependencies } from './source.ts'
import type { Loadable } from './source.ts'

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

/** Brings plugins into workers. */
export class Loader {
  readonly #deps: LoaderDependencies
  /** What each worker has loaded, by plugin: the hash, once it is. */
  readonly #loaded = new WeakMap<
    Worker,
    Map<string, { hash: string; done: Promise<Description> }>
  >()
  readonly sources: SourceReader

  constructor(dependencies: LoaderDependencies) {
    this.#deps = dependencies
    this.sources = new SourceReader(dependencies)
  }

  /** Requests of code that runs for nobody. */
  requestForNobody(plugin: PluginKey): AnswerRequest {
    return (method, params, signal) =>
      this.#deps.answerHost({
        method,
        params,
        caller: null,
        plugin: { store: plugin.store, id: plugin.id },
        origin: null,
        signal,
      })
  }

  /** Loads a source, installing what it needs before. */
  async load(source: NewSource): Promise<Description> {
    const lines = await this.sources.requirementsOf(source)
    const description = await this.#loadOn(await this.#findWorker(source, lines), source)
    // The packages that were added are needed with every later start, too.
    return { ...description, requirements: lines }
  }

  /** A worker that has the stored plugin loaded; a plugin that cannot be loaded is disabled. */
  async prepare(record: PluginRecord): Promise<Worker> {
    if (record.fault !== null)
      throw workerFailure('disabled', `The plugin ${record.name} is disabled. ${record.fault}`)
    try {
      const worker = await this.#findWorker(record, record.description.requirements)
      await this.#loadOn(worker, record)
      return worker
    } catch (error) {
      await this.#noteBroken(record, error)
      throw error
    }
  }

  /** The worker says it has it not. */
  forget(worker: Worker, key: PluginKey): void {
    this.#loaded.get(worker)?.delete(labelOf(key))
  }

  /**
   * Has code that is not needed any more leave the processes it is loaded in, once its calls are
   * over.
   */
  unload({ store, id }: PluginKey): void {
    const plugin = labelOf({ store, id })
    for (const { worker } of this.#deps.supervisor.workers()) {
      if (!this.#loaded.get(worker)?.delete(plugin)) continue
      worker
        .call({ plugin, fields: { op: 'unload', plugin: { store, id } }, listeners: NOBODY })
        .catch((error: unknown) => {
          this.#deps.log.debug(
            { error, plugin },
            'a plugin went with its process before it was unloaded',
          )
        })
    }
  }

  async #placeOf(source: Source): Promise<WorkerPlace> {
    return {
      plugin: labelOf(source),
      domain: await domainOf(this.#deps.users, source),
      toolAuthor: source.store === 'tool' ? source.authorId : null,
    }
  }

  #loadOn(worker: Worker, source: Loadable): Promise<Description> {
    const label = labelOf(source)
    const held =
      this.#loaded.get(worker) ?? new Map<string, { hash: string; done: Promise<Description> }>()
    this.#loaded.set(worker, held)
    const plugin = toHostKey(source)
    const current = held.get(label)
    if (current?.hash === plugin.hash) return current.done
    const secret = this.#deps.secrets.derive(`plugin/${label}`).toString('hex')
    const fields = { op: 'load', plugin, content: source.content, secret, valves: source.valves }
    const listeners = { request: this.requestForNobody(source) }
    const done = worker
      .call({ plugin: label, fields, listeners })
      .then(({ value }) => readDescription(value))
    const entry = { hash: plugin.hash, done }
    held.set(label, entry)
    done.catch(() => held.get(label) === entry && held.delete(label))
    return done
  }

  async #findWorker(source: Loadable, requirements: readonly string[]): Promise<Worker> {
    const environment = await this.#deps.environments.ensure(
      readRequirements(requirements).requirements,
    )
    for (;;) {
      const place = await this.#placeOf(source)
      const worker = await this.#deps.supervisor.acquire(place, environment)
      // The author may have been demoted while a process was waited for.
      if ((await this.#placeOf(source)).domain === place.domain) return worker
    }
  }

  /** Keeps a plugin that cannot even be loaded from being tried with every request. */
  async #noteBroken(record: PluginRecord, error: unknown): Promise<void> {
    if (
      !(error instanceof PluginFailure) ||
      !BROKEN.has(error.details.code) ||
      !this.#deps.records.find(record)
    )
      return
    const consequence = record.store === 'function' ? 'switched off' : 'disabled'
    this.#deps.log.error(
      { error, plugin: labelOf(record) },
      `a plugin cannot be loaded any more and was ${consequence}`,
    )
    await this.#deps.records.update(record, {
      fault: `${CANNOT_LOAD}${error.message}`,
      ...(record.store === 'function' && { isActive: false }),
    })
  }
}
