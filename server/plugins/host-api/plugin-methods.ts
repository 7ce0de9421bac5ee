import { filterInOrder } from '../../lib/in-order.ts'
import { pluginStoreSchema } from '#contract/plugins.ts'
import { z } from '#contract/lazy-zod.ts'
import { checkPlainJson } from '../../lib/json/check-plain-json.ts'
import { forbidden, notFound } from '../../lib/errors.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import type { HostRequest, PluginKey } from '../host-request.ts'
import { mayChangeTool, mayUseTool } from '../plugin-context.ts'
import type { PluginRecord } from '../store.ts'
import { ADMINISTRATORS, domainOf } from '../trust-domain.ts'
import type { HostParts } from './dependencies.ts'
import { readParams, requirePerson, type HostMethod } from './method.ts'

const keySchema = z.object({ store: pluginStoreSchema, id: z.string().min(1).max(128) })
const listSchema = z.object({
  store: pluginStoreSchema,
  type: z.enum(['pipe', 'filter', 'action', 'event']).optional(),
  active: z.boolean().optional(),
})
const valvesSchema = keySchema.extend({ user: z.boolean().optional() })
const setSchema = valvesSchema.extend({ values: z.record(z.string(), z.unknown()) })

const isItself = ({ plugin }: HostRequest, { store, id }: PluginKey): boolean =>
  plugin.store === store && plugin.id === id

/**
 * Functions apply to all users, so all may see them; tools are visible only to users who may use
 * them.
 */
async function isVisible(
  parts: HostParts,
  request: HostRequest,
  record: PluginRecord,
): Promise<boolean> {
  if (record.store === 'function' || isItself(request, record)) return true
  return request.caller !== null && (await mayUseTool(parts, request.caller, record))
}

const findVisible = async (
  parts: HostParts,
  request: HostRequest,
  key: PluginKey,
): Promise<PluginRecord | null> => {
  const record = parts.records.find(key)
  return record && (await isVisible(parts, request, record)) ? record : null
}

async function mayReadSource(
  parts: HostParts,
  request: HostRequest,
  record: PluginRecord,
): Promise<boolean> {
  const { caller } = request
  if (isItself(request, record) || caller?.role === 'admin') return true
  return record.store === 'tool' && caller !== null && (await mayChangeTool(parts, caller, record))
}

/** Returns a plugin without its source and settings. */
function describe(record: PluginRecord): Fields {
  const { id, userId, name, kind, meta, description, isActive, isGlobal, createdAt, updatedAt } =
    record
  const facts = { id, user_id: userId, name, meta, created_at: createdAt, updated_at: updatedAt }
  if (record.store === 'function')
    return { ...facts, type: kind, is_active: isActive, is_global: isGlobal }
  return {
    ...facts,
    specs: description.specs.map(({ name: called, description: told, parameters }) => ({
      name: called,
      description: told,
      parameters,
    })),
  }
}

/**
 * Returns the names of secret fields according to the settings form: all fields of type password.
 */
function secretFields({ description }: PluginRecord): ReadonlySet<string> {
  const properties = description.valves_schema?.['properties']
  const entries = Object.entries(isRecord(properties) ? properties : {})
  return new Set(entries.filter(([name, field]) => isSecret(name, field)).map(([name]) => name))
}

const SECRET_NAME = /(key|token|secret|passw|credential|auth)/i

/**
 * @NOTE Authors often declare a key as ordinary text, so a field named like a key counts as one.
 */
const isSecret = (name: string, field: unknown): boolean => {
  const input = isRecord(field) && isRecord(field['input']) ? field['input'] : {}
  const isTyped =
    input['type'] === 'password' ||
    (isRecord(field) && (field['format'] === 'password' || field['writeOnly'] === true))
  return isTyped || SECRET_NAME.test(name)
}

function withoutSecrets(record: PluginRecord, valves: Fields): Fields {
  const secrets = secretFields(record)
  return Object.fromEntries(
    Object.entries(valves).filter(([name]) => !secrets.has(name) && !SECRET_NAME.test(name)),
  )
}

/**
 * Reads the plugin's own settings in full, those of other plugins without secrets, and user
 * settings of the caller only.
 */
async function readValves(parts: HostParts, request: HostRequest): Promise<Fields | null> {
  const { user, ...key } = readParams(valvesSchema, request)
  const record = await findVisible(parts, request, key)
  if (!record) return null
  if (user)
    return isItself(request, record)
      ? ((await parts.store.userValves(record, requirePerson(request).userId)) ?? {})
      : {}
  const valves = record.valves ?? {}
  return isItself(request, record) ? valves : withoutSecrets(record, valves)
}

/**
 * A member's plugin used by an administrator must not permanently change the behaviour of
 * administrators' plugins.
 */
async function maySetOthers(
  { records, users }: HostParts,
  { plugin, caller }: HostRequest,
): Promise<boolean> {
  const asking = records.find(plugin)
  return (
    caller?.role === 'admin' &&
    asking !== null &&
    (await domainOf(users, asking)) === ADMINISTRATORS
  )
}

/**
 * Stores settings as sent by the plugin.
 *
 * @NOTE They are not validated in the worker as those of the form are: the worker may be waiting
 *   for this response.
 */
async function setValves(parts: HostParts, request: HostRequest): Promise<Fields> {
  const { user, values, ...key } = readParams(setSchema, request)
  const record = await findVisible(parts, request, key)
  if (!record) throw notFound('There is no such plugin.')
  checkPlainJson(values, 'The settings')
  const kept = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  if (user) {
    if (!isItself(request, record)) throw forbidden('A plugin sets its own settings only.')
    await parts.store.setUserValves(record, requirePerson(request).userId, kept)
    return kept
  }
  if (!isItself(request, record) && !(await maySetOthers(parts, request)))
    throw forbidden('A plugin sets its own settings only.')
  await parts.records.update(record, { valves: kept })
  return kept
}

export const pluginMethods = (parts: HostParts): Readonly<Record<string, HostMethod>> => ({
  'plugins.get': async (request) => {
    const record = await findVisible(parts, request, readParams(keySchema, request))
    return (
      record && {
        ...describe(record),
        ...((await mayReadSource(parts, request, record)) && { content: record.content }),
      }
    )
  },
  'plugins.list': async (request) => {
    const { store, type, active } = readParams(listSchema, request)
    const fits = ({ kind, isActive }: PluginRecord) =>
      (type === undefined || kind === type) && (active === undefined || isActive === active)
    return (
      await filterInOrder(
        parts.records.all(store),
        async (record) => fits(record) && (await isVisible(parts, request, record)),
      )
    ).map(describe)
  },
  'plugins.valves': (request) => readValves(parts, request),
  'plugins.set_valves': (request) => setValves(parts, request),
})
