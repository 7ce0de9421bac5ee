import { asList, toSeconds, type ArchiveChat, type Fields } from './archive-chat.ts'
import { buildBody, type ParsedMessage } from './build-body.ts'
import { asText } from '../../lib/text/as-text.ts'
import { isRecord } from '../../lib/is-record.ts'

const DEEPEST = 5000

/** Recognises a conversation exported by LibreChat, as a list of messages or as a tree of them. */
export const isLibreChat = (value: Fields): boolean =>
  typeof value['conversationId'] === 'string' &&
  (Array.isArray(value['messages']) || Array.isArray(value['messagesTree'])) &&
  !isRecord(value['mapping'])

/** Returns all messages, parents first, from a tree or a list. */
function flatten(listed: readonly unknown[]): Fields[] {
  const found: Fields[] = []
  let level = listed.filter(isRecord)
  for (let depth = 0; level.length > 0 && depth < DEEPEST; depth += 1) {
    found.push(...level)
    level = level.flatMap((message) => asList(message['children']).filter(isRecord))
  }
  return found
}

const textOf = (part: Fields, name: string): string => {
  const value = part[name]
  return isRecord(value) ? asText(value['value']) : asText(value)
}

function readContent(message: Fields): { content: string; reasoning: string } {
  const parts = asList(message['content']).filter(isRecord)
  const join = (name: string): string =>
    parts
      .filter(({ type }) => type === name)
      .map((part) => textOf(part, name))
      .filter((text) => text !== '')
      .join('\n\n')
  const files = asList(message['files'])
    .filter(isRecord)
    .map((file) => `*[File: ${asText(file['filename']) || 'unnamed'}]*`)
  const words = asText(message['text']) || join('text')
  return {
    content: [words, ...files].filter((text) => text !== '').join('\n\n'),
    reasoning: join('think'),
  }
}

function readMessages(listed: readonly Fields[]): ParsedMessage[] {
  const ids = new Set(listed.map((message) => asText(message['messageId'])))
  const done = new Set<string>()
  const messages: ParsedMessage[] = []
  for (const message of listed) {
    const id = asText(message['messageId'])
    if (id === '' || done.has(id)) continue
    done.add(id)
    const parent = asText(message['parentMessageId'])
    messages.push({
      id,
      // A parent that comes later or is missing would leave the message outside of the tree.
      parentId: ids.has(parent) && done.has(parent) && parent !== id ? parent : null,
      role: message['isCreatedByUser'] === true ? 'user' : 'assistant',
      model: asText(message['model']) || null,
      time: toSeconds(message['createdAt']),
      ...readContent(message),
    })
  }
  return messages
}

export function parseLibreChat(source: Fields): ArchiveChat | null {
  const listed = asList(source['messages'] ?? source['messagesTree'])
  const byTime = (left: Fields, right: Fields): number =>
    (toSeconds(left['createdAt']) ?? 0) - (toSeconds(right['createdAt']) ?? 0)
  const isTree = source['messages'] === undefined || source['recursive'] === true
  const messages = readMessages(isTree ? flatten(listed) : listed.filter(isRecord).toSorted(byTime))
  if (messages.length === 0) return null
  const title = asText(source['title'])
  const created = messages[0]!.time
  return {
    key: asText(source['conversationId']),
    title,
    created_at: created,
    updated_at: messages.reduce((last, { time }) => Math.max(last, time ?? 0), 0) || created,
    pinned: false,
    archived: false,
    folder: null,
    body: buildBody({ title, created, messages, currentId: null }),
  }
}
