/** A tool or a function. Times are unix seconds. */
export interface PluginTable {
  store: 'tool' | 'function'
  id: string
  user_id: string
  /** Who changed the source last; empty where that is not known. */
  author_id: string
  name: string
  kind: 'tool' | 'pipe' | 'filter' | 'action' | 'event'
  content: string
  /** JSON object. */
  meta: string
  /** JSON object: what the host said of the loaded source. */
  description: string
  /** Encrypted JSON object; null when nothing was ever set. */
  valves: string | null
  is_active: number
  is_global: number
  /** Why it does not run; null when it does. */
  fault: string | null
  created_at: number
  updated_at: number
}

/** What one person set for a plugin. */
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
