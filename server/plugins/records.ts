import type { BuiltInFunction } from './built-in/contract.ts'
import { isBuiltIn, toBuiltInRecord, type BuiltInRecord } from './built-in/record.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { PluginKey } from './host-request.ts'
import type { PluginChanges, PluginRecord, PluginStore } from './store.ts'

/** All plugins in memory, as each request has to look at them, and the one way to change them. */
export interface Records {
  find(key: PluginKey): PluginRecord | null
  all(store: PluginKey['store']): PluginRecord[]
  add(record: PluginRecord): void
  update(key: PluginKey, changes: PluginChanges): PluginRecord
  remove(key: PluginKey): void
  /** Forgets what is in memory, after accounts went away with their tools. */
  reload(): void
  onChange(listener: (key: PluginKey | null) => void): void
}

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

/**
 * `builtIn` are functions of the gateway itself, of which only what administrators switched is
 * stored.
 */
export function createRecords(store: PluginStore, builtIn: readonly BuiltInFunction[]): Records {
  let known: Map<string, PluginRecord> | null = null
  const listeners: ((key: PluginKey | null) => void)[] = []

  function read(): Map<string, PluginRecord> {
    const records = new Map(store.all().map((record) => [labelOf(record), record]))
    for (const plugin of builtIn) {
      const label = labelOf({ store: 'function', id: plugin.id })
      const stored = records.get(label) ?? null
      // A source somebody stored under this id before it was taken goes on in its place.
      if (!stored || stored.content === '') records.set(label, toBuiltInRecord(plugin, stored))
    }
    return records
  }
  const all = (): Map<string, PluginRecord> => (known ??= read())
  const changed = (key: PluginKey | null): void => {
    for (const listener of listeners) listener(key)
  }
  return {
    find: (key) => all().get(labelOf(key)) ?? null,
    all: (name) => [...all().values()].filter((record) => record.store === name),
    add(record) {
      store.insert(record)
      known = null
      changed(record)
    },
    update(key, changes) {
      const record = all().get(labelOf(key))
      if (record && isBuiltIn(record)) switchBuiltIn(store, record, changes)
      else store.update(key, changes)
      known = null
      changed(key)
      return all().get(labelOf(key))!
    },
    remove(key) {
      store.remove(key)
      known = null
      changed(key)
    },
    reload() {
      known = null
      changed(null)
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
