import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { isRecord, type Fields } from '../lib/is-record.ts'
import { type PluginContext, toReply } from './plugin-context.ts'
import type { PluginRecord } from './store.ts'
import { PluginFailure } from './worker/faults.ts'

type Which = 'valves' | 'user_valves'

interface Wanted {
  readonly which: Which
  readonly values: Fields
}

/** Returns pydantic's messages in one line. */
function describeFaults(failure: PluginFailure): string {
  const { detail } = failure.details
  const lines = (Array.isArray(detail) ? detail : []).filter(isRecord).map(({ loc, msg }) => {
    const place = Array.isArray(loc) ? loc.join('.') : ''
    return `${place}: ${String(msg)}`
  })
  return lines.length > 0 ? lines.join('; ') : failure.message
}

/**
 * Validators of the plugin decide which values are stored, so its own code checks them
 * (docs/plugin-contract.md).
 */
async function validate(
  { runner }: PluginContext,
  caller: Caller,
  record: PluginRecord,
  { which, values }: Wanted,
): Promise<Fields> {
  checkPlainJson(values, 'The settings')
  if (record.builtIn !== null)
    throw badRequest(`${record.name} has no settings.`, { code: 'invalid_valves' })
  try {
    const kept = await runner.ask(record, { op: 'valves.validate', which, values }, caller)
    return isRecord(kept) ? kept : {}
  } catch (error) {
    if (error instanceof PluginFailure && error.details.code === 'valves')
      throw badRequest(describeFaults(error), { code: 'invalid_valves' })
    throw toReply(error)
  }
}

const schemaOf = ({ description }: PluginRecord, which: Which): Fields | null =>
  which === 'valves' ? description.valves_schema : description.user_valves_schema

/**
 * Returns the schema of the settings, null if the plugin has none. Options for users come from a
 * method of the plugin.
 */
export async function readSpec(
  { runner }: PluginContext,
  caller: Caller,
  record: PluginRecord,
  which: Which,
): Promise<Fields | null> {
  const schema = schemaOf(record, which)
  if (schema === null) return null
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const isDynamic = Object.values(properties).some(
    (field) =>
      isRecord(field) && isRecord(field['input']) && typeof field['input']['options'] === 'string',
  )
  if (!isDynamic) return schema
  try {
    const options = await runner.ask(record, { op: 'valves.options', which }, caller)
    if (!isRecord(options)) return schema
    const filled = Object.entries(properties).map(([name, field]) => {
      const input = isRecord(field) && isRecord(field['input']) ? field['input'] : null
      return [
        name,
        input && Array.isArray(options[name])
          ? { ...(field as Fields), input: { ...input, options: options[name] } }
          : field,
      ]
    })
    return { ...schema, properties: Object.fromEntries(filled) as Fields }
  } catch (error) {
    throw toReply(error)
  }
}

/** Validates and stores the settings of a plugin; returns the stored values. */
export async function updateValves(
  context: PluginContext,
  caller: Caller,
  record: PluginRecord,
  values: Fields,
): Promise<Fields> {
  const valves = await validate(context, caller, record, { which: 'valves', values })
  await context.records.update(record, { valves })
  return valves
}

/** Validates and stores a user's settings for a plugin. */
export async function updateUserValves(
  context: PluginContext,
  caller: Caller,
  record: PluginRecord,
  values: Fields,
): Promise<Fields> {
  const valves = await validate(context, caller, record, { which: 'user_valves', values })
  if (!(await context.store.setUserValves(record, caller.userId, valves)))
    throw notFound('The plugin was deleted while its settings were checked.')
  return valves
}
