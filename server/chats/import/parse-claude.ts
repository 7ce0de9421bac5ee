import { asList, fence, toSeconds, type ArchiveChat, type Fields } from './archive-chat.ts'
import { buildBody, type ParsedMessage } from './build-body.ts'
import { asText } from '../../lib/text/as-text.ts'
import { isRecord } from '../../lib/is-record.ts'

export const isClaudeChat = (value: Fields): boolean => Array.isArray(value['chat_messages'])

function readResult(content: unknown): string {
  if (typeof content === 'string') return content
  return asList(content)
    .filter(isRecord)
    .map((part) => asText(part['text']))
    .filter((text) => text !== '')
    .join('\n')
}

/** Returns a block of an answer as text; reasoning is kept separately. */
function readBlock(block: Fields): string {
  switch (block['type']) {
    case 'tool_use':
      return fence(JSON.stringify(block['input'] ?? {}, null, 2), 'json')
    case 'tool_result': {
      const text = readResult(block['content'])
      return text.trim() === '' ? '' : fence(text)
    }
    case 'thinking':
    case 'redacted_thinking':
      return ''
    default:
      return asText(block['text'])
  }
}

const joinTexts = (texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== '').join('\n\n')

/**
 * Returns the text of attached files, which is added to the message, so that it can be searched and
 * used as before.
 */
function readAttachment(file: Fields): string {
  const name = asText(file['file_name']) || 'file'
  const text = asText(file['extracted_content'])
  return text.trim() === '' ? `*[File: ${name}]*` : `**${name}**\n\n${fence(text)}`
}

function readMessage(source: Fields, parentId: string | null): ParsedMessage {
  const blocks = asList(source['content']).filter(isRecord)
  const attached = new Set(
    asList(source['attachments'])
      .filter(isRecord)
      .map((file) => asText(file['file_name'])),
  )
  const files = asList(source['files'])
    .filter(isRecord)
    .filter((file) => !attached.has(asText(file['file_name'])))
  const text = blocks.length > 0 ? joinTexts(blocks.map(readBlock)) : asText(source['text'])
  return {
    id: asText(source['uuid']),
    parentId,
    role: source['sender'] === 'human' ? 'user' : 'assistant',
    content: joinTexts([
      text,
      ...asList(source['attachments']).filter(isRecord).map(readAttachment),
      ...files.map(readAttachment),
    ]),
    reasoning: joinTexts(blocks.map((block) => asText(block['thinking']))),
    model: asText(source['model']) || null,
    time: toSeconds(source['created_at']),
  }
}

/** Reads the messages as a tree; if the export has no parents, each follows the previous one. */
function readMessages(list: readonly Fields[]): ParsedMessage[] {
  const ids = new Set(list.map((message) => asText(message['uuid'])))
  const messages: ParsedMessage[] = []
  for (const source of list) {
    const named = source['parent_message_uuid']
    const previous = messages.at(-1)?.id ?? null
    const parent =
      typeof named === 'string'
        ? ids.has(named) && named !== source['uuid']
          ? named
          : null
        : previous
    messages.push(readMessage(source, parent))
  }
  return messages
}

/** Parses a conversation of a Claude export. */
export function parseClaudeChat(source: Fields): ArchiveChat | null {
  const list = asList(source['chat_messages'])
    .filter(isRecord)
    .filter((message) => asText(message['uuid']) !== '')
  const messages = readMessages(list)
  if (messages.length === 0) return null
  const title = asText(source['name'])
  const created = toSeconds(source['created_at'])
  const leaf = asText(source['current_leaf_message_uuid'])
  const currentId = messages.some((message) => message.id === leaf) ? leaf : messages.at(-1)!.id
  return {
    key: asText(source['uuid']),
    title,
    created_at: created,
    updated_at: toSeconds(source['updated_at']),
    pinned: source['is_starred'] === true,
    archived: false,
    folder: null,
    body: buildBody({ title, created, messages, currentId }),
  }
}
