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

/** Event sent to windows. */
export type SentEvent = EventData | ForeignEvent

const typesOf = (schema: typeof gatewayEventSchema | typeof pluginEventSchema) =>
  new Set<string>(schema.options.map(({ shape }) => shape.type.value))
let known: { readonly plugins: Set<string>; readonly gateway: Set<string> } | undefined

/** Returns the schema of an event of this type; null for a type known only to its sender. */
function schemaOf(type: string) {
  known ??= { plugins: typesOf(pluginEventSchema), gateway: typesOf(gatewayEventSchema) }
  if (known.plugins.has(type)) return pluginEventSchema
  return known.gateway.has(type) ? gatewayEventSchema : null
}

/** Completes an event of an answer: plugins send `done` only with the last one. */
const toCompletion = (data: unknown): unknown =>
  isRecord(data) && Object.keys(data).length > 0 ? { done: false, ...data } : data

/**
 * Parses an event of a plugin, pipeline, tool server or script: the only place where it is
 * validated. All fields are kept. Throws 400 if its type is known and its data does not match the
 * schema.
 */
export function parsePluginEvent(event: PluginEvent): SentEvent {
  const { type } = event
  const data = type === 'chat:completion' ? toCompletion(event.data) : event.data
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

/** Parses an event without reporting errors to the sender; returns null for an unreadable one. */
export function readPluginEvent(event: unknown): SentEvent | null {
  const sent = toPluginEvent(event)
  try {
    return sent && parsePluginEvent(sent)
  } catch {
    return null
  }
}

/** Returns any object with a type as an event. */
export const toPluginEvent = (event: unknown): PluginEvent | null =>
  isRecord(event) && typeof event['type'] === 'string'
    ? { type: event['type'], data: event['data'] ?? {} }
    : null

const QUESTIONS: ReadonlySet<string> = new Set<PluginCall['type']>([
  'confirmation',
  'input',
  'execute',
])

/** Converts a plugin's call to a window; windows reject an unknown type. */
export const toPluginCall = ({ type, data }: PluginEvent): PluginCall | ForeignEvent =>
  QUESTIONS.has(type)
    ? { type: type as PluginCall['type'], data: isRecord(data) ? data : {} }
    : { type: 'foreign', data: { type, data } }

/** Returns the event with the index at which the first item it added is stored, if there is one. */
export const withIndex = (event: SentEvent, index: number | null): SentEvent =>
  index === null || event.type === 'foreign' ? event : { ...event, index }

/** Returns the event in the form windows receive. */
export const unwrap = <Event extends { readonly type: string }>(
  event: Event | ForeignEvent,
): Event | PluginEvent =>
  event.type === 'foreign' ? (event as ForeignEvent).data : (event as Event)
