import { createHash } from 'node:crypto'
import { readDescription, type Description } from './sources/description.ts'
import type { PluginKey } from './host-request.ts'
import { CANNOT_LOAD } from './sources/packages.ts'
import { readRequirements } from './python/requirements.ts'
import { SourceReader } from './sources/read-source.ts'
import { labelOf } from './records.ts'
import type { PluginRecord } from './store.ts'
import { domainOf } from './trust-domain.ts'
import type { AnswerRequest } from './worker/answer-requests.ts'
import { PluginFailure, workerFailure } from './worker/faults.ts'
import type { WorkerPlace } from './worker/supervisor.ts'
import type { Worker } from './worker/worker.ts'
import type { Source, NewSource, LoaderDependencies, Loadable } from './sources/source.ts'

/** Failure codes caused by the source itself, regardless of the caller. */
const BROKEN = new Set(['syntax', 'load', 'no_class', 'specs'])
const NOBODY = { request: () => Promise.reject(new Error('Nothing can be asked here.')) }

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex')

/** Returns the key that identifies a plugin to the host. */
export const toHostKey = ({ store, id, content }: PluginKey & Pick<PluginRecord, 'content'>) => ({
  store,
  id,
  hash: hashOf(content),
})

/** Loads plugins into workers. */
export class Loader {
  readonly #deps: LoaderDependencies
  /** Loaded plugins of each worker, with the hash once loading is complete. */
  readonly #loaded = new WeakMap<
    Worker,
    Map<string, { hash: string; done: Promise<Description> }>
  >()
  readonly sources: SourceReader

  constructor(dependencies: LoaderDependencies) {
    this.#deps = dependencies
    this.sources = new SourceReader(dependencies)
  }

  /** Returns the request handler for code that runs without a user. */
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

  /** Loads a source after installing its requirements. */
  async load(source: NewSource): Promise<Description> {
    const lines = await this.sources.requirementsOf(source)
    const description = await this.#loadOn(await this.#findWorker(source, lines), source)
    // The added packages are required on every later start, too.
    return { ...description, requirements: lines }
  }

  /**
   * Returns a worker that has the stored plugin loaded; disables a plugin that cannot be loaded.
   */
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

  /** Called if the worker reports that it is not loaded. */
  forget(worker: Worker, key: PluginKey): void {
    this.#loaded.get(worker)?.delete(labelOf(key))
  }

  /** Removes obsolete code from the processes it is loaded in, after its calls have ended. */
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
      // The author may have been demoted during the wait for a process.
      if ((await this.#placeOf(source)).domain === place.domain) return worker
    }
  }

  /** Prevents a plugin that cannot be loaded from being retried with every request. */
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
