import { cutTitle } from '#contract/short-title.ts'
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

/** Returns the beginning of a text as the title of a chat. */
export const toShortTitle = (text: string): string => cutTitle(text) || DEFAULT_TITLE
