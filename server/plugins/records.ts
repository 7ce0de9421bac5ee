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

export const labelOf = ({ store, id }: PluginKey): string => `${store}:${id}`

export function createRecords(store: PluginStore): Records {
  let known: Map<string, PluginRecord> | null = null
  const listeners: ((key: PluginKey | null) => void)[] = []
  const all = (): Map<string, PluginRecord> => (known ??= new Map(store.all().map((record) => [labelOf(record), record])))
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
      store.update(key, changes)
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
