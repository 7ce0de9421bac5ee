import type { BuiltInFunction } from './built-in/contract.ts'
import { isBuiltIn, toBuiltInRecord, type BuiltInRecord } from './built-in/record.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { PluginKey } from './host-request.ts'
import type { PluginChanges, PluginRecord, PluginStore } from './store.ts'

/** The row of a built-in function comes to be when somebody switches it. */
function switchBuiltIn(
  store: PluginStore,
  record: BuiltInRecord,
  { isActive, isGlobal, updatedAt }: PluginChanges,
): void {
  const switched = {
    isActive: isActive ?? record.isActive,
    isGlobal: isGlobal ?? record.isGlobal,
    updatedAt: updatedAt ?? nowSeconds(),
  }
  if (store.has(record)) store.update(record, switched)
  else store.insert({ ...record, ...switched, createdAt: switched.updatedAt })
}

export const labelOf = ({ store, id }: PluginKey): string => `${store}:${id}`

/** All plugins in memory, as each request has to look at them, and the one way to change them. `builtIn` are functions of the gateway itself, of which only what administrators switched is stored. */
export class Records {
  readonly #store: PluginStore
  readonly #builtIn: readonly BuiltInFunction[]
  #known: Map<string, PluginRecord> | null = null
  readonly #listeners: ((key: PluginKey | null) => void)[] = []

  constructor(store: PluginStore, builtIn: readonly BuiltInFunction[]) {
    this.#store = store
    this.#builtIn = builtIn
  }

  find(key: PluginKey): PluginRecord | null {
    return this.#all().get(labelOf(key)) ?? null
  }

  all(name: PluginKey['store']): PluginRecord[] {
    return [...this.#all().values()].filter((record) => record.store === name)
  }

  add(record: PluginRecord): void {
    this.#store.insert(record)
    this.#known = null
    this.#changed(record)
  }

  update(key: PluginKey, changes: PluginChanges): PluginRecord {
    const record = this.#all().get(labelOf(key))
    if (record && isBuiltIn(record)) switchBuiltIn(this.#store, record, changes)
    else this.#store.update(key, changes)
    this.#known = null
    this.#changed(key)
    return this.#all().get(labelOf(key))!
  }

  remove(key: PluginKey): void {
    this.#store.remove(key)
    this.#known = null
    this.#changed(key)
  }

  /** Forgets what is in memory, after accounts went away with their tools. */
  reload(): void {
    this.#known = null
    this.#changed(null)
  }

  onChange(listener: (key: PluginKey | null) => void): void {
    this.#listeners.push(listener)
  }

  #read(): Map<string, PluginRecord> {
    const records = new Map(this.#store.all().map((record) => [labelOf(record), record]))
    for (const plugin of this.#builtIn) {
      const label = labelOf({ store: 'function', id: plugin.id })
      const stored = records.get(label) ?? null
      // A source somebody stored under this id before it was taken goes on in its place.
      if (!stored || stored.content === '') records.set(label, toBuiltInRecord(plugin, stored))
    }
    return records
  }

  #all(): Map<string, PluginRecord> {
    return (this.#known ??= this.#read())
  }

  #changed(key: PluginKey | null): void {
    for (const listener of this.#listeners) listener(key)
  }
}
