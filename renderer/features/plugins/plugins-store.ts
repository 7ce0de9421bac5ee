import { ListStore } from '../../api/list-store.ts'
import type { PluginCalls, PluginEntry } from './plugin-kinds.ts'

export type PluginsStore = ListStore<PluginEntry>

/** The plugins of one store: tools or functions. */
export const createPluginsStore = (calls: PluginCalls): PluginsStore =>
  new ListStore<PluginEntry>({
    read: async () => ({ items: await calls.list() }),
    extra: {},
    keyOf: ({ id }) => id,
  })

/** What a search of the list looks through. */
export const textOf = ({ id, name, description }: PluginEntry): string =>
  `${id} ${name} ${description}`
