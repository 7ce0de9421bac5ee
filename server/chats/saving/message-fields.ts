import { isRecord } from '../../lib/is-record.ts'

/** Reads a value as its field needs it; undefined for a value of another type. */
type ReadField = (value: unknown) => unknown

const readText: ReadField = (value) => (typeof value === 'string' ? value : undefined)
const readNumber: ReadField = (value) => (Number.isFinite(value) ? value : undefined)
const readFlag: ReadField = (value) => (typeof value === 'boolean' ? value : undefined)
const readObject: ReadField = (value) => (isRecord(value) ? value : undefined)

const readList =
  (isItem: (item: unknown) => boolean): ReadField =>
  (value) => {
    if (!Array.isArray(value)) return undefined
    return value.every(isItem) ? value : value.filter(isItem)
  }
const readObjects = readList(isRecord)
const readTexts = readList((item) => typeof item === 'string')

/** Older clients store a text, or true beside the text of the error. */
const readError: ReadField = (value) => {
  if (value === true) return { content: '' }
  if (typeof value === 'string') return { content: value }
  if (!isRecord(value)) return undefined
  const { content } = value
  if (typeof content === 'string') return value
  return { ...value, content: content == null ? '' : JSON.stringify(content) }
}

/** Fields that the gateway and its interface read, whose types later code relies on. */
const FIELDS: ReadonlyMap<string, ReadField> = new Map([
  ['files', readObjects],
  ['sources', readObjects],
  ['statusHistory', readObjects],
  ['code_executions', readObjects],
  ['output', readObjects],
  ['embeds', readTexts],
  ['models', readTexts],
  ['followUps', readTexts],
  ['modelName', readText],
  ['selectedModelId', readText],
  ['originalContent', readText],
  ['feedbackId', readText],
  ['finish_reason', readText],
  ['modelIdx', readNumber],
  ['reasoning_seconds', readNumber],
  ['answer_seconds', readNumber],
  ['favorite', readFlag],
  ['usage', readObject],
  ['annotation', readObject],
  ['error', readError],
])

/**
 * Returns the fields of a message with values of the types that readers expect; what is left out or
 * changed is added to the repairs. Null removes a field, and unknown fields stay as they are.
 */
export function readMessageFields(
  id: string,
  fields: readonly (readonly [name: string, value: unknown])[],
  repairs: string[],
): Record<string, unknown> {
  const kept = fields.flatMap(([name, value]) => {
    const read = FIELDS.get(name)
    if (!read || value === null || value === undefined) return [[name, value] as const]
    const found = read(value)
    if (found === value) return [[name, value] as const]
    noteField(id, name, repairs)
    return found === undefined ? [] : [[name, found] as const]
  })
  return Object.fromEntries(kept)
}

/** Adds to the repairs that a value of another type was left out or changed. */
export function noteField(id: string, name: string, repairs: string[]): void {
  repairs.push(
    `The field "${name}" of the message ${JSON.stringify(id)} held values of another type, which were left out or changed.`,
  )
}

/** Returns content in parts with parts only: texts become parts, other values are left out. */
export function readParts(id: string, content: object, repairs: string[]): object[] {
  const given: unknown[] = Array.isArray(content) ? content : [content]
  const parts = given.flatMap((part): object[] => {
    if (typeof part === 'string') return [{ type: 'text', text: part }]
    if (!isRecord(part)) return []
    return part['text'] === undefined || typeof part['text'] === 'string' ? [part] : []
  })
  const isSame =
    parts.length === given.length && parts.every((part, place) => part === given[place])
  if (!isSame || !Array.isArray(content)) noteField(id, 'content', repairs)
  return parts
}
