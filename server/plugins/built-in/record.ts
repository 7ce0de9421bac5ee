import { readDescription } from '../sources/description.ts'
import type { PluginRecord } from '../store.ts'
import type { BuiltInFunction } from './contract.ts'

/** Record of a function that runs in this process rather than in a worker. */
export type BuiltInRecord = PluginRecord & { readonly builtIn: BuiltInFunction }

export const isBuiltIn = (record: PluginRecord): record is BuiltInRecord => record.builtIn !== null

const HOOKS = ['pipe', 'inlet', 'stream', 'outlet', 'action'] as const

/** Returns the record of a built-in function; only its active state is stored. */
export function toBuiltInRecord(
  plugin: BuiltInFunction,
  stored: PluginRecord | null,
): BuiltInRecord {
  const hooks = HOOKS.filter((hook) => Object.hasOwn(plugin, hook)).map((hook) => [hook, 'async'])
  return {
    store: 'function',
    id: plugin.id,
    userId: '',
    authorId: '',
    name: plugin.name,
    kind: plugin.kind,
    content: '',
    meta: { description: plugin.description, manifest: {} },
    description: readDescription({ hooks: Object.fromEntries(hooks) }),
    valves: null,
    isActive: stored?.isActive ?? plugin.isActive,
    isGlobal: stored?.isGlobal ?? false,
    fault: null,
    createdAt: stored?.createdAt ?? 0,
    updatedAt: stored?.updatedAt ?? 0,
    builtIn: plugin,
  }
}
