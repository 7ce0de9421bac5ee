import { isRecord } from '../lib/is-record.ts'

/** The readable text of message content, which is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) =>
      isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '',
    )
    .join(' ')
    .trim()
}

/** What a chat is called before anybody has named it. */
export const DEFAULT_TITLE = 'New Chat'
const MAX_TITLE_LENGTH = 80
const MAX_LINE_LENGTH = 1000

/** The beginning of a text with all space in it made alike. */
export const toOneLine = (text: string): string =>
  text.slice(0, MAX_LINE_LENGTH).replace(/\s+/g, ' ').trim()

/** The beginning of a text as a title of one line. */
export function toShortTitle(text: string): string {
  const line = toOneLine(text)
  if (line === '') return DEFAULT_TITLE
  const characters = Array.from(line)
  return characters.length <= MAX_TITLE_LENGTH
    ? line
    : `${characters
        .slice(0, MAX_TITLE_LENGTH - 1)
        .join('')
        .trimEnd()}…`
}
