import type { Logger } from '../../lib/logger.ts'
import type { PluginRecord } from '../store.ts'

/**
 * A pipe that asks its own service may not hold up the list of models; what it answers later is
 * taken all the same.
 */
const LONGEST_WAIT_MILLISECONDS = 10_000

/** A list that is being made. */
interface Reading {
  readonly record: PluginRecord
  readonly done: Promise<void>
  /** When nobody waits for it any more. */
  readonly isLate: Promise<void>
}

/** Whether a pipe would make the same list. */
export const isSamePipe = (one: PluginRecord, other: PluginRecord): boolean =>
  one.content === other.content &&
  one.name === other.name &&
  JSON.stringify(one.valves) === JSON.stringify(other.valves)

/** The lists pipes are making: one at a time of each, however many want it. */
export class PipeReadings {
  readonly #read: (record: PluginRecord) => Promise<void>
  readonly #log: Logger
  readonly #running = new Map<string, Reading>()

  constructor(read: (record: PluginRecord) => Promise<void>, log: Logger) {
    this.#read = read
    this.#log = log
  }

  /** Has a list made; resolves when it is, or has taken too long for this caller or another one. */
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
        'a pipe takes long to list its models; nobody waits for it',
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
