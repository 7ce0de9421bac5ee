import { isDeepStrictEqual } from 'node:util'
import type { BuiltInFunction } from './built-in/contract.ts'
import { isBuiltIn, toBuiltInRecord, type BuiltInRecord } from './built-in/record.ts'
import { badRequest, type ServiceError } from '../lib/errors.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { PluginKey } from './host-request.ts'
import type { PluginChanges, PluginRecord, PluginStore, Switches } from './store.ts'

/** Returns the complete switches of a built-in function after a change. */
const switchesOf = (
  record: BuiltInRecord,
  { isActive, isGlobal, updatedAt }: PluginChanges,
): Switches => ({
  isActive: isActive ?? record.isActive,
  isGlobal: isGlobal ?? record.isGlobal,
  updatedAt: updatedAt ?? nowSeconds(),
})

export const idTaken = (): ServiceError =>
  badRequest('This id is taken. Choose another one.', { code: 'id_taken' })

export const labelOf = ({ store, id }: PluginKey): string => `${store}:${id}`

/**
 * All plugins in memory, because every request reads them, and the only way to change them.
 * `builtIn` are functions of the gateway itself, of which only the administrators' switches are
 * stored.
 */
export class Records {
  readonly #store: PluginStore
  readonly #builtIn: readonly BuiltInFunction[]
  #known: ReadonlyMap<string, PluginRecord> = new Map()
  /** Number of reads, so that an older read never replaces a newer one. */
  #reads = 0
  #newest = 0
  readonly #listeners: ((key: PluginKey | null) => void)[] = []

  constructor(store: PluginStore, builtIn: readonly BuiltInFunction[]) {
    this.#store = store
    this.#builtIn = builtIn
  }

  /** Reads all plugins; must be awaited before the first request. */
  async load(): Promise<void> {
    const read = (this.#reads += 1)
    const known = await this.#read()
    if (read < this.#newest) return
    this.#newest = read
    this.#known = known
  }

  find(key: PluginKey): PluginRecord | null {
    return this.#known.get(labelOf(key)) ?? null
  }

  all(name: PluginKey['store']): PluginRecord[] {
    return [...this.#known.values()].filter((record) => record.store === name)
  }

  /** Throws 400 if the id is taken; another request or gateway may have stored it meanwhile. */
  async add(record: PluginRecord): Promise<void> {
    if (!(await this.#store.insert(record))) throw idTaken()
    await this.load()
    this.#changed(record)
  }

  /** Throws 409 if `knownAt` is not the time of the stored version. */
  async update(key: PluginKey, changes: PluginChanges, knownAt?: number): Promise<PluginRecord> {
    const record = this.#known.get(labelOf(key))
    if (record && isBuiltIn(record))
      await this.#store.putSwitches(record, switchesOf(record, changes))
    else await this.#store.update(key, changes, knownAt)
    await this.load()
    this.#changed(key)
    return this.#known.get(labelOf(key))!
  }

  async remove(key: PluginKey): Promise<void> {
    await this.#store.remove(key)
    await this.load()
    this.#changed(key)
  }

  /** Reloads the plugins, after accounts were deleted with their tools. */
  async reload(): Promise<void> {
    await this.load()
    this.#changed(null)
  }

  /** Loads the plugins stored by other gateways. */
  async readAgain(): Promise<void> {
    const before = this.#known
    await this.load()
    const changed = [...new Set([...before.keys(), ...this.#known.keys()])].filter(
      (label) => !isDeepStrictEqual(before.get(label), this.#known.get(label)),
    )
    for (const label of changed) this.#changed(this.#known.get(label) ?? before.get(label)!)
  }

  onChange(listener: (key: PluginKey | null) => void): void {
    this.#listeners.push(listener)
  }

  async #read(): Promise<Map<string, PluginRecord>> {
    const records = new Map((await this.#store.all()).map((record) => [labelOf(record), record]))
    for (const plugin of this.#builtIn) {
      const label = labelOf({ store: 'function', id: plugin.id })
      const stored = records.get(label) ?? null
      // A source stored under this id before it was reserved takes precedence.
      if (!stored || stored.content === '') records.set(label, toBuiltInRecord(plugin, stored))
    }
    return records
  }

  #changed(key: PluginKey | null): void {
    for (const listener of this.#listeners) listener(key)
  }
}
