import { isOwn, readChange } from '#contract/event-effects.ts'
import type { OwnEvent } from '#contract/events.ts'
import { tooLarge } from '../../lib/errors.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'
import type { SentEvent } from '../../lib/plugin-events.ts'
import { requireFit, type RecordBounds } from '../../lib/json/record-bounds.ts'
import type { MessageRow } from '../chat-rows.ts'

const full = (most: number) =>
  tooLarge(
    `With this event the message would be longer than the ${most} characters that MESSAGE_EVENTS_MAX_CHARACTERS allows. Nothing was added.`,
  )

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Limits to which events may lengthen a message. */
export interface EventBounds {
  readonly characters: number
  readonly record: RecordBounds
}

/** A message changed by an event, and its maximum size. */
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
  /** Index in its list of the first added item; null for an event that adds to no list. */
  readonly index: number | null
}

const whole = (row: MessageRow): Applied => ({ row, index: null })

function append(subject: Subject, field: string, added: readonly unknown[]): Applied {
  let index = 0
  const changed = changeExtra(subject, (fields) => {
    const before = asList(fields[field])
    index = before.length
    return { [field]: [...before, ...added] }
  })
  return { row: changed, index }
}

/**
 * The output of running code has a separate list, where a later event of the same run replaces the
 * earlier one.
 */
const keepExecution = (subject: Subject, data: Fields): MessageRow =>
  changeExtra(subject, (fields) => {
    const others = asList(fields['code_executions']).filter(
      (run) => !(isRecord(run) && run['id'] === data['id']),
    )
    return { code_executions: [...others, data] }
  })

/**
 * Returns the message after a persisted event (specification, Plugin events › Persistence); null
 * for types that are not stored. Throws 413 if it would exceed the limits.
 */
export function applyEvent(
  row: MessageRow,
  event: SentEvent,
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

/** Applies an event by its row in `EVENT_EFFECTS`, or by a case here if it has code of its own. */
function apply(subject: Subject, event: SentEvent): Applied | null {
  if (isOwn(event)) return applyOwn(subject, event)
  const change = readChange(event)
  if (!change?.isStored) return null
  const { field, added, value } = change
  return added === null
    ? {
        row: changeExtra(subject, () => ({ [field]: value })),
        index: Array.isArray(value) ? 0 : null,
      }
    : append(subject, field, added)
}

/** Events that only the run of an answer emits are stored with the answer itself. */
function applyOwn(subject: Subject, event: OwnEvent): Applied | null {
  const { row } = subject
  switch (event.type) {
    case 'message':
      return whole({ ...row, content: row.content + event.data.content, parts: null })
    case 'replace':
      return whole({ ...row, content: event.data.content, parts: null })
    case 'source':
    case 'citation':
      return event.data['type'] === 'code_execution'
        ? whole(keepExecution(subject, event.data))
        : append(subject, 'sources', [event.data])
    case 'chat:message:delta':
    case 'chat:reasoning:delta':
    case 'chat:completion':
    case 'chat:message':
    case 'chat:message:error':
    case 'chat:message:favorite':
      return null
    default:
      return event satisfies never
  }
}
