import { badRequest } from '../../lib/errors.ts'

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

function textOfParts(content: unknown): string {
  const parts: unknown[] = Array.isArray(content) ? content : [content]
  return parts
    .map((part) =>
      typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
        ? part.text
        : '',
    )
    .filter((text) => text !== '')
    .join('\n')
}

function parseContent(content: unknown): Pick<MentionedMessage, 'content' | 'parts'> {
  if (content === undefined) return {}
  if (content === null) return { content: '', parts: null }
  if (typeof content === 'object')
    return { content: textOfParts(content), parts: JSON.stringify(content) }
  return { content: typeof content === 'string' ? content : JSON.stringify(content), parts: null }
}

/** Returns a text field; undefined for any other type. */
const asText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

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
  return {
    id,
    role: asText(source['role'])?.slice(0, 32),
    ...parseContent(source['content']),
    reasoning_content: reasoning === null ? null : asText(reasoning),
    model: asText(source['model']),
    done: typeof source['done'] === 'boolean' ? source['done'] : undefined,
    timestamp:
      typeof source['timestamp'] === 'number'
        ? toSeconds(id, source['timestamp'], repairs)
        : undefined,
    parentId: parseParentId(source['parentId']),
    childrenIds: parseChildrenIds(source['childrenIds']),
    extra: Object.fromEntries(Object.entries(source).filter(([name]) => !COLUMN_FIELDS.has(name))),
  }
}
