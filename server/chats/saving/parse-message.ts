import { badRequest } from '../../lib/errors.ts'
import { noteField, readMessageFields, readParts } from './message-fields.ts'

/** One message of a body, complete or in part; absent fields were not mentioned. */
export interface MentionedMessage {
  readonly id: string
  readonly role?: string
  /** The text, or the text parts of content in parts. */
  readonly content?: string
  /** JSON of content that is not plain text; null when it is. */
  readonly parts?: string | null
  readonly reasoning_content?: string | null
  readonly model?: string
  readonly done?: boolean
  readonly timestamp?: number
  readonly parentId?: string | null
  readonly childrenIds?: string[]
  readonly extra: Record<string, unknown>
  /** In a flat list: the message before this one, null for the first. */
  readonly previous?: string | null
}

const LARGEST_ID = 256
const FIRST_MILLISECOND_STAMP = 100_000_000_000
/** Fields with a column, and `siblingIds`, which only branch pages contain. */
export const COLUMN_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'role',
  'content',
  'reasoning_content',
  'model',
  'done',
  'timestamp',
  'parentId',
  'childrenIds',
  'siblingIds',
])

/**
 * Returns the canonical spelling of an id: lone surrogates are replaced as storage would do before
 * anything is compared.
 */
export function toMessageId(value: string): string {
  if (value.length === 0 || value.length > LARGEST_ID) {
    throw badRequest(`A message id has to be 1 to ${LARGEST_ID} characters long.`)
  }
  return value.toWellFormed()
}

function toSeconds(id: string, stamp: number, repairs: string[]): number {
  if (!Number.isSafeInteger(Math.floor(stamp)) || stamp < 0) {
    throw badRequest(
      `The timestamp of the message ${JSON.stringify(id)} is not a time in unix seconds.`,
    )
  }
  if (stamp < FIRST_MILLISECOND_STAMP) return Math.floor(stamp)
  repairs.push(
    `The timestamp of the message ${JSON.stringify(id)} was in milliseconds and is kept in seconds.`,
  )
  return Math.floor(stamp / 1000)
}

const textOfParts = (parts: readonly object[]): string =>
  parts
    .map((part) => ('text' in part && typeof part.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n')

function parseContent(
  id: string,
  content: unknown,
  repairs: string[],
): Pick<MentionedMessage, 'content' | 'parts'> {
  if (content === undefined) return {}
  if (content === null) return { content: '', parts: null }
  if (typeof content === 'string') return { content, parts: null }
  if (typeof content === 'object') {
    const parts = readParts(id, content, repairs)
    return parts.length === 0
      ? { content: '', parts: null }
      : { content: textOfParts(parts), parts: JSON.stringify(parts) }
  }
  noteField(id, 'content', repairs)
  return { content: JSON.stringify(content), parts: null }
}

function parseParentId(value: unknown): string | null | undefined {
  if (typeof value === 'string' && value !== '') return toMessageId(value)
  return value === undefined ? undefined : null
}

function parseChildrenIds(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const ids = value
    .filter((child): child is string => typeof child === 'string' && child !== '')
    .map(toMessageId)
  return [...new Set(ids)]
}

/** Parses one message of a body. */
export function parseMessage(
  id: string,
  source: Record<string, unknown>,
  repairs: string[],
): MentionedMessage {
  const reasoning = source['reasoning_content']
  const read = (name: string, type: 'boolean' | 'string'): unknown => {
    const value = source[name]
    if (typeof value === type) return value
    if (value !== undefined && value !== null) noteField(id, name, repairs)
    return undefined
  }
  return {
    id,
    role: (read('role', 'string') as string | undefined)?.slice(0, 32),
    ...parseContent(id, source['content'], repairs),
    reasoning_content:
      reasoning === null ? null : (read('reasoning_content', 'string') as string | undefined),
    model: read('model', 'string') as string | undefined,
    done: read('done', 'boolean') as boolean | undefined,
    timestamp:
      typeof source['timestamp'] === 'number'
        ? toSeconds(id, source['timestamp'], repairs)
        : undefined,
    parentId: parseParentId(source['parentId']),
    childrenIds: parseChildrenIds(source['childrenIds']),
    extra: readMessageFields(
      id,
      Object.entries(source).filter(([name]) => !COLUMN_FIELDS.has(name)),
      repairs,
    ),
  }
}
