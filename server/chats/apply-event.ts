import type { EventData } from '#contract/events.ts'
import { badRequest, tooLarge } from '../lib/errors.ts'
import { isRecord } from '../lib/is-record.ts'
import { requireFit, type RecordBounds } from '../lib/record-bounds.ts'
import type { MessageRow } from './store.ts'

type Fields = Record<string, unknown>

const full = (most: number) =>
  tooLarge(
    `With this event the message would be longer than the ${most} characters that MESSAGE_EVENTS_MAX_CHARACTERS allows. Nothing was added.`,
  )

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function requireText(data: Fields, type: string): string {
  if (typeof data['content'] !== 'string')
    throw badRequest(`The event "${type}" needs its text in "content".`)
  return data['content']
}

function requireList(data: Fields, name: string): unknown[] {
  if (!Array.isArray(data[name])) throw badRequest(`The event "${name}" needs a list in "${name}".`)
  return data[name]
}

/** How far events may lengthen a message. */
export interface EventBounds {
  readonly characters: number
  readonly record: RecordBounds
}

/** A message that an event changes, and how much it may hold then. */
interface Subject {
  readonly row: MessageRow
  readonly record: RecordBounds
}

function changeExtra({ row, record }: Subject, change: (fields: Fields) => Fields): MessageRow {
  const fields = JSON.parse(row.extra) as Fields
  const changed = { ...fields, ...change(fields) }
  requireFit(changed, 'With this event the message', { ...record, characters: Infinity })
  return { ...row, extra: JSON.stringify(changed) }
}

/** A message after an event. */
export interface Applied {
  readonly row: MessageRow
  /** Where in its list the first added thing stands; null for an event that adds to none. */
  readonly index: number | null
}

const whole = (row: MessageRow): Applied => ({ row, index: null })

function append(subject: Subject, field: string, added: unknown[], replace = false): Applied {
  let index = 0
  const changed = changeExtra(subject, (fields) => {
    const before = replace ? [] : asList(fields[field])
    index = before.length
    return { [field]: [...before, ...added] }
  })
  return { row: changed, index }
}

/**
 * What running code gave has a list of its own, where a later event about the same run takes the
 * place of the earlier one.
 */
const keepExecution = (subject: Subject, data: Fields): MessageRow =>
  changeExtra(subject, (fields) => {
    const others = asList(fields['code_executions']).filter(
      (run) => !(isRecord(run) && run['id'] === data['id']),
    )
    return { code_executions: [...others, data] }
  })

/**
 * The message after a persisted event (specification, Plugin events › Persistence); null for types
 * that only travel. 413 when it would grow beyond the bounds.
 */
export function applyEvent(
  row: MessageRow,
  event: EventData,
  { characters: most, record }: EventBounds,
): Applied | null {
  const applied = apply({ row, record }, event)
  const isBeyond = (column: 'content' | 'extra') =>
    applied !== null &&
    applied.row[column].length > most &&
    applied.row[column].length > row[column].length
  if (isBeyond('content') || isBeyond('extra')) throw full(most)
  return applied
}

function apply(subject: Subject, event: EventData): Applied | null {
  const { row } = subject
  const data: Fields =
    typeof event.data === 'object' && event.data !== null ? (event.data as Fields) : {}
  switch (event.type) {
    case 'status':
      return append(subject, 'statusHistory', [data])
    case 'message':
      return whole({ ...row, content: row.content + requireText(data, event.type), parts: null })
    case 'replace':
      return whole({ ...row, content: requireText(data, event.type), parts: null })
    case 'embeds': {
      const embeds = requireList(data, 'embeds')
      if (!embeds.every((embed) => typeof embed === 'string'))
        throw badRequest('The event "embeds" takes a list of texts.')
      return append(subject, 'embeds', embeds, data['replace'] === true)
    }
    case 'files':
      return append(subject, 'files', requireList(data, 'files'), data['replace'] === true)
    case 'source':
    case 'citation':
      return data['type'] === 'code_execution'
        ? whole(keepExecution(subject, data))
        : append(subject, 'sources', [data])
    default:
      return null
  }
}
