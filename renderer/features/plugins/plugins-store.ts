import { createStore, type StoreApi } from 'zustand/vanilla'
import { toSentence } from '../../api/api-error.ts'
import type { PluginCalls, PluginEntry } from './plugin-kinds.ts'

export interface PluginsState {
  readonly plugins: readonly PluginEntry[]
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
}

export type PluginsStore = StoreApi<PluginsState>

export const createPluginsStore = (): PluginsStore =>
  createStore<PluginsState>(() => ({ plugins: [], status: 'loading', problem: null }))

/** Fetches the list; one that is shown stays meanwhile. */
export async function loadPlugins(store: PluginsStore, calls: PluginCalls): Promise<void> {
  try {
    store.setState({ plugins: await calls.list(), status: 'ready', problem: null })
  } catch (thrown) {
    store.setState({ status: 'failed', problem: toSentence(thrown) })
  }
}

/** Those with the words of a query in their name, id or description. */
export function findPlugins(
  plugins: readonly PluginEntry[],
  query: string,
): readonly PluginEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return plugins.filter(({ id, name, description }) => {
    const text = `${id} ${name} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
