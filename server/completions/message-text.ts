import { isRecord } from '../lib/is-record.ts'

/** Returns the readable text of message content, which is a string or a list of parts. */
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

/** Name of a chat before it is given one. */
export const DEFAULT_TITLE = 'New Chat'
const MAX_TITLE_LENGTH = 80
const MAX_LINE_LENGTH = 1000

/** Returns the beginning of a text with every run of whitespace replaced by one space. */
export const toOneLine = (text: string): string =>
  text.slice(0, MAX_LINE_LENGTH).replace(/\s+/g, ' ').trim()

/** Returns the beginning of a text as a one-line title. */
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
