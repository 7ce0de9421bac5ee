import type { EventData } from '#contract/events.ts'
import { badRequest, tooLarge } from '../lib/errors.ts'
import { isRecord } from '../lib/is-record.ts'
import type { MessageRow } from './store.ts'

type Fields = Record<string, unknown>

/** What events may add to one message. Every further event reads and writes all of it again. */
const MOST_CHARACTERS = 8 * 1024 * 1024

const full = () =>
  tooLarge(`Events have filled this message with ${MOST_CHARACTERS} characters, as much as it can hold. Nothing was added.`)

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function requireText(data: Fields, type: string): string {
  if (typeof data['content'] !== 'string') throw badRequest(`The event "${type}" needs its text in "content".`)
  return data['content']
}

function requireList(data: Fields, name: string): unknown[] {
  if (!Array.isArray(data[name])) throw badRequest(`The event "${name}" needs a list in "${name}".`)
  return data[name]
}

function changeExtra(row: MessageRow, change: (fields: Fields) => Fields): MessageRow {
  const fields = JSON.parse(row.extra) as Fields
  const extra = JSON.stringify({ ...fields, ...change(fields) })
  if (extra.length > MOST_CHARACTERS && extra.length > row.extra.length) throw full()
  return { ...row, extra }
}

/** A message after an event. */
export interface Applied {
  readonly row: MessageRow
  /** Where in its list the first added thing stands; null for an event that adds to none. */
  readonly index: number | null
}

const whole = (row: MessageRow): Applied => ({ row, index: null })

function append(row: MessageRow, field: string, added: unknown[], replace = false): Applied {
  let index = 0
  const changed = changeExtra(row, (fields) => {
    const before = replace ? [] : asList(fields[field])
    index = before.length
    return { [field]: [...before, ...added] }
  })
  return { row: changed, index }
}

/** What running code gave has a list of its own, where a later event about the same run takes the place of the earlier one. */
const keepExecution = (row: MessageRow, data: Fields): MessageRow =>
  changeExtra(row, (fields) => {
    const others = asList(fields['code_executions']).filter((run) => !(isRecord(run) && run['id'] === data['id']))
    return { code_executions: [...others, data] }
  })

/** The message after a persisted event (specification, Plugin events › Persistence); null for types that only travel. */
export function applyEvent(row: MessageRow, event: EventData): Applied | null {
  const data: Fields = typeof event.data === 'object' && event.data !== null ? (event.data as Fields) : {}
  switch (event.type) {
    case 'status':
      return append(row, 'statusHistory', [data])
    case 'message': {
      const added = requireText(data, event.type)
      if (row.content.length + added.length > MOST_CHARACTERS) throw full()
      return whole({ ...row, content: row.content + added, parts: null })
    }
    case 'replace':
      return whole({ ...row, content: requireText(data, event.type), parts: null })
    case 'embeds': {
      const embeds = requireList(data, 'embeds')
      if (!embeds.every((embed) => typeof embed === 'string')) throw badRequest('The event "embeds" takes a list of texts.')
      return append(row, 'embeds', embeds, data['replace'] === true)
    }
    case 'files':
      return append(row, 'files', requireList(data, 'files'), data['replace'] === true)
    case 'source':
    case 'citation':
      return data['type'] === 'code_execution' ? whole(keepExecution(row, data)) : append(row, 'sources', [data])
    default:
      return null
  }
}
