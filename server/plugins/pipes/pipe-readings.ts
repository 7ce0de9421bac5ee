import type { Logger } from '../../lib/logger.ts'
import type { PluginRecord } from '../store.ts'

/**
 * Time limit in ms: a pipe that queries its own service must not delay the list of models; a later
 * response is still used.
 */
const LONGEST_WAIT_MILLISECONDS = 10_000

/** A list being made. */
interface Reading {
  readonly record: PluginRecord
  readonly done: Promise<void>
  /** Resolves when no caller waits for it any more. */
  readonly isLate: Promise<void>
}

/** Returns true if both pipes would make the same list. */
export const isSamePipe = (one: PluginRecord, other: PluginRecord): boolean =>
  one.content === other.content &&
  one.name === other.name &&
  JSON.stringify(one.valves) === JSON.stringify(other.valves)

/** Lists being made by pipes: one at a time for each, shared by all callers. */
export class PipeReadings {
  readonly #read: (record: PluginRecord) => Promise<void>
  readonly #log: Logger
  readonly #running = new Map<string, Reading>()

  constructor(read: (record: PluginRecord) => Promise<void>, log: Logger) {
    this.#read = read
    this.#log = log
  }

  /**
   * Has a list made; resolves when it is complete, or has taken too long for this caller or another
   * one.
   */
  async inTime(record: PluginRecord): Promise<void> {
    const running = this.#running.get(record.id)
    const { done, isLate } =
      running && isSamePipe(running.record, record) ? running : this.#begin(record)
    await Promise.race([done, isLate])
  }

  #begin(record: PluginRecord): Reading {
    const { promise: isLate, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      this.#log.warn(
        { plugin: record.id },
        'a pipe takes long to list its models; the model list no longer waits for it',
      )
      resolve()
    }, LONGEST_WAIT_MILLISECONDS).unref()
    const done = this.#read(record).finally(() => {
      clearTimeout(timer)
      if (this.#running.get(record.id) === begun) this.#running.delete(record.id)
    })
    const begun: Reading = { record, done, isLate }
    this.#running.set(record.id, begun)
    return begun
  }
}
