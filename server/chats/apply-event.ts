import { tooLarge } from '../lib/errors.ts'
import { isRecord } from '../lib/is-record.ts'
import type { SentEvent } from '../lib/plugin-events.ts'
import { requireFit, type RecordBounds } from '../lib/record-bounds.ts'
import type { MessageRow } from './chat-rows.ts'

type Fields = Record<string, unknown>

const full = (most: number) =>
  tooLarge(
    `With this event the message would be longer than the ${most} characters that MESSAGE_EVENTS_MAX_CHARACTERS allows. Nothing was added.`,
  )

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

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

function append(
  subject: Subject,
  field: string,
  added: readonly unknown[],
  replace = false,
): Applied {
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

/**
 * Every event has a case here, so that nobody adds one without saying whether messages keep it.
 * What only the run of an answer says is stored with the answer itself.
 */
function apply(subject: Subject, event: SentEvent): Applied | null {
  const { row } = subject
  switch (event.type) {
    case 'status':
      return append(subject, 'statusHistory', [event.data])
    case 'message':
      return whole({ ...row, content: row.content + event.data.content, parts: null })
    case 'replace':
      return whole({ ...row, content: event.data.content, parts: null })
    case 'embeds':
      return append(subject, 'embeds', event.data.embeds, isReplacing(event.data))
    case 'files':
      return append(subject, 'files', event.data.files, isReplacing(event.data))
    case 'chat:message:artifact':
      return append(subject, 'artifacts', [event.data])
    case 'source':
    case 'citation':
      return event.data['type'] === 'code_execution'
        ? whole(keepExecution(subject, event.data))
        : append(subject, 'sources', [event.data])
    case 'chat:message:delta':
    case 'chat:reasoning:delta':
    case 'chat:completion':
    case 'chat:message':
    case 'chat:message:created':
    case 'chat:message:embeds':
    case 'chat:message:error':
    case 'chat:message:favorite':
    case 'chat:message:files':
    case 'chat:message:follow_ups':
    case 'chat:outlet':
    case 'chat:title':
    case 'chat:tags':
    case 'chat:active':
    case 'chat:list':
    case 'notification':
    case 'execute':
    case 'code:progress':
    case 'image:progress':
    case 'file:status':
    case 'foreign':
      return null
    default:
      return event satisfies never
  }
}

const isReplacing = (data: { readonly replace?: unknown }): boolean => data.replace === true
