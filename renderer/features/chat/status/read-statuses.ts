import type { ChatMessage } from '../chat-store.ts'
import { asText } from '../../../lib/as-text.ts'
import { toFields, type Fields } from '../../../lib/fields.ts'

/** A URL visited in a step. */
export interface StatusLink {
  readonly url: string
  readonly title: string
}

/** One reported step of generating an answer. */
export interface Status {
  /** Action, as the gateway names it; empty for plugins that do not specify one. */
  readonly action: string
  /** Target of the action, such as the name of a tool. */
  readonly name: string
  readonly description: string
  readonly isDone: boolean
  readonly isHidden: boolean
  /** True if it failed or left something out, so it must be visible without expanding. */
  readonly isWarning: boolean
  /** Search queries. */
  readonly queries: readonly string[]
  readonly links: readonly StatusLink[]
  /** Progress, if reported in steps. */
  readonly progress: StatusProgress | null
}

export interface StatusProgress {
  readonly done: number
  readonly total: number
}

const MOST = 50
/** Waits for a local model; they are over with the first text of the answer. */
const WAITS = new Set(['model_loading', 'model_queued'])
const LEFT_OUT = new Set(['sources_left_out', 'pictures_left_out'])

const toList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, MOST) : []

/** Returns pages with their titles, or only their URLs. */
function toLinks({ items, urls }: Fields): readonly StatusLink[] {
  const named = toList(items).map((item) => {
    const { link, url, title, name } = toFields(item)
    const address = asText(link) || asText(url)
    return { url: address, title: asText(title) || asText(name) || address }
  })
  const found =
    named.length > 0 ? named : toList(urls).map((url) => ({ url: asText(url), title: asText(url) }))
  return found.filter(({ url }) => url !== '')
}

function toProgress(value: unknown): StatusProgress | null {
  const { done, total } = toFields(value)
  return typeof done === 'number' && typeof total === 'number' && total > 0 ? { done, total } : null
}

const toStatus = (row: Fields): Status => ({
  action: asText(row.action),
  name: asText(row.name),
  // Plugins written for the reference system leave inserting the number to the client.
  description: asText(row.description).replaceAll(
    '{{count}}',
    String(typeof row.count === 'number' ? row.count : toLinks(row).length),
  ),
  isDone: row.done === true,
  isHidden: row.hidden === true,
  isWarning: row.error === true || LEFT_OUT.has(asText(row.action)),
  queries: toList(row.queries).map(asText).filter(Boolean),
  links: toLinks(row),
  progress: toProgress(row.progress),
})

/** Returns the steps of an answer, with a wait for its model only while it lasts. */
export const readStatuses = (message: Pick<ChatMessage, 'statusHistory'>): readonly Status[] =>
  (message.statusHistory ?? [])
    .map(toStatus)
    .filter(
      ({ action, isDone }, index, all) =>
        !WAITS.has(action) || (!isDone && index === all.length - 1),
    )

/** Replaces the start of a step by its end. */
export function withoutBeginnings(rows: readonly Status[]): readonly Status[] {
  return rows.filter(({ action, name, isDone }, index) => {
    if (isDone || action === '') return true
    return !rows.slice(index + 1).some((later) => later.action === action && later.name === name)
  })
}
