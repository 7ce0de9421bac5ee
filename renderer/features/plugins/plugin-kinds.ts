import type { AccessGrant } from '#contract/access.ts'
import type { FunctionItem, FunctionRecord } from '#contract/functions.ts'
import type { PluginEnvironment, PluginReport, PluginTrace } from '#contract/plugins.ts'
import type { Tool, ToolItem } from '#contract/tools.ts'
import { ApiError } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { functionHooks, type PluginHook, toolHooks } from './plugin-hooks.ts'
import { asText } from '../../lib/as-text.ts'

/** Store of a plugin: tools are called by models; functions are filters, pipes and actions. */
export type PluginStoreKind = 'tool' | 'function'

/** A plugin in the list's and editor's representation, regardless of its store. */
export interface PluginEntry {
  readonly id: string
  readonly name: string
  readonly description: string
  /** `tool`, or the type of the function. */
  readonly type: 'tool' | FunctionItem['type']
  readonly version: string
  readonly author: string
  /** Reason it is currently disabled. */
  readonly fault: string | null
  /** Package that is missing and without which it cannot run. */
  readonly missingPackage: string | null
  readonly hasUserValves: boolean
  readonly mayChange: boolean
  /** Functions only. */
  readonly isActive: boolean
  readonly isGlobal: boolean
  /** Grants besides the owner's; null for functions, which the gateway uses. */
  readonly grants: readonly AccessGrant[] | null
  /** True for a built-in plugin, which can be switched on and off, but not read or changed. */
  readonly isBuiltIn: boolean
}

/** Editable part of a plugin. */
export interface PluginSource {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly content: string
  /** Packages installed with it, besides those it declares itself. */
  readonly requirements: readonly string[]
  /** Grants of other users; tools only. */
  readonly grants: readonly AccessGrant[]
}

/** A stored plugin, with its callable functions. */
export interface StoredPlugin extends PluginSource {
  /** Time of its version; absent for a new one. */
  readonly updatedAt?: number
  readonly type: PluginEntry['type']
  readonly hooks: readonly PluginHook[]
}

/** Unsaved changes of a plugin. */
export interface PluginDraft extends PluginSource {
  /** The version that was changed. */
  readonly base: StoredPlugin
}

export const toSource = ({
  id,
  name,
  description,
  content,
  requirements,
  grants,
}: PluginSource): PluginSource => ({ id, name, description, content, requirements, grants })

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

function describe(meta: ToolItem['meta']) {
  const manifest = meta.manifest ?? {}
  return {
    description: asText(meta.description) || asText(manifest['description']),
    version: asText(manifest['version']),
    author: asText(manifest['author']),
  }
}

const toTool = (tool: ToolItem): PluginEntry => ({
  id: tool.id,
  name: tool.name,
  type: 'tool',
  fault: tool.fault,
  missingPackage: tool.missing_package,
  hasUserValves: tool.has_user_valves,
  mayChange: tool.write_access,
  isActive: true,
  isGlobal: false,
  grants: tool.write_access ? tool.access_grants : null,
  isBuiltIn: false,
  ...describe(tool.meta),
})

const toFunction = (item: FunctionItem): PluginEntry => ({
  id: item.id,
  name: item.name,
  type: item.type,
  fault: item.fault,
  missingPackage: item.missing_package,
  hasUserValves: item.has_user_valves,
  mayChange: !item.is_built_in,
  isActive: item.is_active,
  isGlobal: item.is_global,
  grants: null,
  isBuiltIn: item.is_built_in,
  ...describe(item.meta),
})

/** API calls of one store; both stores have the same ones under different names. */
export interface PluginCalls {
  readonly store: PluginStoreKind
  list(): Promise<PluginEntry[]>
  read(id: string): Promise<StoredPlugin>
  create(source: PluginSource): Promise<StoredPlugin>
  /** Refused if there is a newer version than the known one. */
  update(source: PluginSource, knownAt: number | undefined): Promise<StoredPlugin>
  remove(id: string): Promise<void>
  load(url: string): Promise<{ name: string; content: string }>
  readonly valves: ValveCalls
  readonly userValves: ValveCalls
}

/** Fields a plugin declares, and their values. */
export interface ValveCalls {
  spec(id: string): Promise<Record<string, unknown> | null>
  read(id: string): Promise<Record<string, unknown>>
  save(id: string, values: Record<string, unknown>): Promise<unknown>
}

const { tools, functions } = endpoints
const ofTool = (id: string) => ({ params: { tool_id: id } })
const ofFunction = (id: string) => ({ params: { function_id: id } })
const toBody = ({ id, name, description, content, requirements }: PluginSource) => ({
  id,
  name,
  content,
  meta: { description, ...(requirements.length > 0 && { requirements: [...requirements] }) },
})
const toToolBody = ({ grants, ...source }: PluginSource) => ({
  ...toBody({ grants, ...source }),
  access_grants: [...grants],
})

const fromTool = ({
  id,
  name,
  content,
  meta,
  access_grants,
  specs,
  updated_at,
}: Tool): StoredPlugin => ({
  id,
  name,
  content,
  description: asText(meta.description),
  requirements: textsOf(meta['requirements']),
  grants: access_grants,
  type: 'tool',
  updatedAt: updated_at,
  hooks: toolHooks(specs),
})

const fromFunction = ({
  id,
  name,
  content,
  meta,
  type,
  updated_at,
}: FunctionRecord): StoredPlugin => ({
  id,
  name,
  content,
  description: asText(meta.description),
  requirements: textsOf(meta['requirements']),
  grants: [],
  type,
  updatedAt: updated_at,
  hooks: functionHooks(type, content),
})

export const toolCalls: PluginCalls = {
  store: 'tool',
  list: async () => (await call(tools.page, {})).map(toTool),
  read: async (id) => fromTool(await call(tools.get, ofTool(id))),
  create: async (source) => fromTool(await call(tools.create, { body: toToolBody(source) })),
  update: async (source, known_at) => {
    const body = { ...toToolBody(source), known_at }
    return fromTool(await call(tools.update, { ...ofTool(source.id), body }))
  },
  remove: async (id) => void (await call(tools.remove, ofTool(id))),
  load: (url) => call(tools.loadAddress, { body: { url } }),
  valves: {
    spec: (id) => call(tools.valvesSpec, ofTool(id)),
    read: (id) => call(tools.valves, ofTool(id)),
    save: (id, values) => call(tools.updateValves, { ...ofTool(id), body: values }),
  },
  userValves: {
    spec: (id) => call(tools.userValvesSpec, ofTool(id)),
    read: (id) => call(tools.userValves, ofTool(id)),
    save: (id, values) => call(tools.updateUserValves, { ...ofTool(id), body: values }),
  },
}

export const functionCalls: PluginCalls = {
  store: 'function',
  list: async () => (await call(functions.page, {})).map(toFunction),
  read: async (id) => fromFunction(await call(functions.get, ofFunction(id))),
  create: async (source) => fromFunction(await call(functions.create, { body: toBody(source) })),
  update: async (source, known_at) => {
    const body = { ...toBody(source), known_at }
    return fromFunction(await call(functions.update, { ...ofFunction(source.id), body }))
  },
  remove: async (id) => void (await call(functions.remove, ofFunction(id))),
  load: (url) => call(functions.loadAddress, { body: { url } }),
  valves: {
    spec: (id) => call(functions.valvesSpec, ofFunction(id)),
    read: (id) => call(functions.valves, ofFunction(id)),
    save: (id, values) => call(functions.updateValves, { ...ofFunction(id), body: values }),
  },
  userValves: {
    spec: (id) => call(functions.userValvesSpec, ofFunction(id)),
    read: (id) => call(functions.userValves, ofFunction(id)),
    save: (id, values) => call(functions.updateUserValves, { ...ofFunction(id), body: values }),
  },
}

export const toggleFunction = (id: string): Promise<unknown> =>
  call(functions.toggle, ofFunction(id))
export const toggleGlobal = (id: string): Promise<unknown> =>
  call(functions.toggleGlobal, ofFunction(id))

/** Re-enables a plugin that was disabled after repeated failures. */
export const recoverPlugin = (store: PluginStoreKind, id: string): Promise<unknown> =>
  call(endpoints.plugins.recover, { params: { store, plugin_id: id } })

/** Resolves with its last calls, newest first. */
export const listCalls = (store: PluginStoreKind, id: string): Promise<PluginTrace[]> =>
  call(endpoints.plugins.traces, { query: { store, plugin_id: id } })

/** Resolves with the type and requirements of a source, without running it. */
export const inspectSource = (store: PluginStoreKind, content: string): Promise<PluginReport> =>
  call(endpoints.plugins.inspect, { body: { store, content } })

/** Starts installing packages a source needs but does not declare. */
export const beginInstall = (
  store: PluginStoreKind,
  content: string,
  requirements: readonly string[],
): Promise<PluginEnvironment> =>
  call(endpoints.plugins.install, { body: { store, content, requirements: [...requirements] } })

export const readInstall = (id: string): Promise<PluginEnvironment> =>
  call(endpoints.plugins.environment, { params: { environment_id: id } })

export const stopInstall = (id: string): Promise<unknown> =>
  call(endpoints.plugins.stopInstalling, { params: { environment_id: id } })

/** Returns the missing packages for which a plugin was refused. */
export const missingPackages = (thrown: unknown): readonly string[] =>
  thrown instanceof ApiError ? textsOf(thrown.body['missing_packages']) : []

/** Runs a plugin once and reports everything that happened. */
export const runPlugin = (
  store: PluginStoreKind,
  id: string,
  run: { hook: string; arguments: Record<string, unknown> },
): Promise<PluginTrace> =>
  call(endpoints.plugins.run, { params: { store, plugin_id: id }, body: run })

/** Derives a Python identifier from a name, as a default. */
export const toPluginId = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .replace(/^(\d)/, '_$1')
