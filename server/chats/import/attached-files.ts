import { asList, type ArchiveChat, type Fields } from './archive-chat.ts'
import { asText } from '../../lib/text/as-text.ts'
import { isRecord } from '../../lib/is-record.ts'

const CONTENT_ADDRESS = /\/files\/([\w-]+)\/content/

/** Returns the id of a file in the program it was uploaded to; `''` if it has none. */
export function fileIdOf(file: unknown): string {
  if (!isRecord(file)) return ''
  const url = asText(file['url'])
  const inner = isRecord(file['file']) ? asText(file['file']['id']) : ''
  return asText(file['id']) || inner || (CONTENT_ADDRESS.exec(url)?.[1] ?? url)
}

const nameOf = (file: unknown): string =>
  isRecord(file)
    ? asText(file['name']) || (isRecord(file['file']) ? asText(file['file']['filename']) : '')
    : ''

/** Images embedded in a message need no file. */
const isInside = (file: unknown): boolean =>
  isRecord(file) && asText(file['url']).startsWith('data:image/')

/**
 * Returns a message with replaced attachments. Where `replace` returns null, the name of the file
 * becomes part of the text.
 */
function replaceInMessage(message: Fields, replace: (file: unknown) => unknown): Fields {
  const files = asList(message['files'])
  if (files.length === 0) return message
  const kept: unknown[] = []
  const names: string[] = []
  for (const file of files) {
    const replaced = isInside(file) ? file : replace(file)
    if (replaced === null) names.push(`*[File: ${nameOf(file) || 'unnamed'}]*`)
    else kept.push(replaced)
  }
  const content = [asText(message['content']), ...names].filter((text) => text !== '')
  return names.length === 0
    ? { ...message, files: kept }
    : { ...message, files: kept, content: content.join('\n\n') }
}

/** Returns the body of a chat with replaced attachments of its messages. */
export function replaceFiles<Body extends ArchiveChat['body'] | Fields>(
  body: Body,
  replace: (file: unknown) => unknown,
): Body {
  const { history } = body
  if (!isRecord(history) || !isRecord(history['messages'])) return body
  const messages = Object.entries(history['messages']).map(
    ([id, message]) =>
      [id, isRecord(message) ? replaceInMessage(message, replace) : message] as const,
  )
  return { ...body, history: { ...history, messages: Object.fromEntries(messages) } }
}
