import {
  gatewayEventSchema,
  pluginEventSchema,
  type EventData,
  type ForeignEvent,
  type PluginCall,
  type PluginEvent,
} from '#contract/events.ts'
import { badRequest } from './errors.ts'
import { isRecord } from './is-record.ts'

/** An event on its way to windows. */
export type SentEvent = EventData | ForeignEvent

const typesOf = (schema: typeof gatewayEventSchema | typeof pluginEventSchema) =>
  new Set<string>(schema.options.map(({ shape }) => shape.type.value))
let known: { readonly plugins: Set<string>; readonly gateway: Set<string> } | undefined

/** The form an event of this type has; null for a type only its sender knows. */
function schemaOf(type: string) {
  known ??= { plugins: typesOf(pluginEventSchema), gateway: typesOf(gatewayEventSchema) }
  if (known.plugins.has(type)) return pluginEventSchema
  return known.gateway.has(type) ? gatewayEventSchema : null
}

/**
 * Reads what a plugin, pipeline, tool server or script sent: the one place where it is checked. It
 * keeps every field it came with. Throws 400 when its type is known and its data is not of that
 * form.
 */
export function parsePluginEvent(event: PluginEvent): SentEvent {
  const { type, data } = event
  const schema = schemaOf(type)
  if (!schema) return { type: 'foreign', data: { type, data } }
  const { error } = schema.safeParse({ type, data })
  if (!error) return { type, data } as EventData
  const place = error.issues[0]?.path.slice(1).join('.') ?? ''
  throw badRequest(
    place === ''
      ? `The event "${type}" needs an object as its data.`
      : `The event "${type}" needs another value in "${place}".`,
  )
}

/** The same for one whose sender is not told; null for what cannot be read. */
export function readPluginEvent(event: unknown): SentEvent | null {
  const sent = toPluginEvent(event)
  try {
    return sent && parsePluginEvent(sent)
  } catch {
    return null
  }
}

/** Anything with a type is an event. */
export const toPluginEvent = (event: unknown): PluginEvent | null =>
  isRecord(event) && typeof event['type'] === 'string'
    ? { type: event['type'], data: event['data'] ?? {} }
    : null

const QUESTIONS: ReadonlySet<string> = new Set<PluginCall['type']>([
  'confirmation',
  'input',
  'execute',
])

/** What a plugin asks a window; windows refuse a type they do not know. */
export const toPluginCall = ({ type, data }: PluginEvent): PluginCall | ForeignEvent =>
  QUESTIONS.has(type)
    ? { type: type as PluginCall['type'], data: isRecord(data) ? data : {} }
    : { type: 'foreign', data: { type, data } }

/** The event with the place where the first thing it added is stored, if there is one. */
export const withIndex = (event: SentEvent, index: number | null): SentEvent =>
  index === null || event.type === 'foreign' ? event : { ...event, index }

/** The event as windows get it. */
export const unwrap = <Event extends { readonly type: string }>(
  event: Event | ForeignEvent,
): Event | PluginEvent =>
  event.type === 'foreign' ? (event as ForeignEvent).data : (event as Event)
