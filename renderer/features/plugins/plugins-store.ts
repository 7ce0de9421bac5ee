import { ListStore } from '../../api/list-store.ts'
import type { PluginCalls, PluginEntry } from './plugin-kinds.ts'

export type PluginsStore = ListStore<PluginEntry>

/** Creates the store of the plugins of one kind: tools or functions. */
export const createPluginsStore = (calls: PluginCalls): PluginsStore =>
  new ListStore<PluginEntry>({
    read: async () => ({ items: await calls.list() }),
    extra: {},
    keyOf: ({ id }) => id,
  })

/** Returns the text that is searched. */
export const textOf = ({ id, name, description }: PluginEntry): string =>
  `${id} ${name} ${description}`
