/** A tool or a function. Times are unix seconds. */
export interface PluginTable {
  store: 'tool' | 'function'
  id: string
  user_id: string
  /** The last editor of the source; empty if unknown. */
  author_id: string
  name: string
  kind: 'tool' | 'pipe' | 'filter' | 'action' | 'event'
  content: string
  /** JSON object. */
  meta: string
  /** JSON object: the host's description of the loaded source. */
  description: string
  /** Encrypted JSON object; null if nothing was ever set. */
  valves: string | null
  is_active: number
  is_global: number
  /** Reason why it does not run; null if it does. */
  fault: string | null
  created_at: number
  updated_at: number
}

/** Settings of one user for a plugin. */
export interface PluginUserValvesTable {
  store: 'tool' | 'function'
  plugin_id: string
  user_id: string
  /** Encrypted JSON object. */
  valves: string
}

/** Tables of plugins as Kysely sees them. */
export interface PluginsTables {
  plugin: PluginTable
  plugin_user_valves: PluginUserValvesTable
}
