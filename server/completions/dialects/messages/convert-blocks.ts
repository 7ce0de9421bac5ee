import type { ChatCompletionRequest } from '#contract/completions.ts'
import { badRequest } from '../../../lib/errors.ts'
import { isRecord } from '../../../lib/is-record.ts'

/** Content block as received. */
export type Block = Readonly<Record<string, unknown>>

type ChatMessage = ChatCompletionRequest['messages'][number]
type FilePart = { type: 'file'; file: { filename: string; file_data?: string; file_url?: string } }
type Part =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | FilePart

const IMAGE_TYPE = /^image\/[\w.+-]{1,60}$/

function textOf(block: Block): string | null {
  if (typeof block['text'] === 'string') return block['text']
  if (block['type'] !== 'search_result') return null
  const lines = [block['title'], block['source'], textOfBlocks(block['content'])]
  return lines.filter((line) => typeof line === 'string' && line !== '').join('\n')
}

/**
 * Returns the text of a string or of blocks, joined by line breaks; blocks without text are left
 * out.
 */
export function textOfBlocks(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const texts = content.filter(isRecord).map(textOf)
  return texts.filter((text) => text !== null).join('\n')
}

function toImageUrl({ source }: Block): string {
  if (isRecord(source)) {
    const { type, url, data, media_type: mediaType } = source
    if (type === 'url' && typeof url === 'string') return url
    if (
      type === 'base64' &&
      typeof data === 'string' &&
      typeof mediaType === 'string' &&
      IMAGE_TYPE.test(mediaType)
    ) {
      return `data:${mediaType};base64,${data}`
    }
  }
  throw badRequest(
    'An image needs a source of type "base64" with media_type and data, or of type "url".',
  )
}

/**
 * Returns text as a string, or parts if there are images and documents. `place` names the blocks in
 * error messages, e.g. `messages[0].content`.
 */
export function toContent(blocks: readonly Block[], place: string): string | Part[] {
  const parts = blocks.flatMap((block, index) => toParts(block, `${place}[${index}]`))
  return parts.every((part) => part.type === 'text')
    ? parts.map(({ text }) => text).join('\n')
    : parts
}

function toParts(block: Block, place: string): Part[] {
  if (block['type'] === 'image')
    return [{ type: 'image_url', image_url: { url: toImageUrl(block) } }]
  if (block['type'] === 'document') return toDocument(block, place)
  const text = textOf(block)
  return text === null ? [] : [{ type: 'text', text }]
}

/**
 * Converts a document. Its title and context are placed before its content, because no other
 * dialect has fields for them.
 */
function toDocument({ source, title, context }: Block, place: string): Part[] {
  const named = typeof title === 'string' && title !== '' ? title : null
  const about = typeof context === 'string' && context !== '' ? `Context: ${context}` : null
  const heading = (lines: readonly (string | null)[]): Part[] => {
    const text = lines.filter((line) => line !== null).join('\n')
    return text === '' ? [] : [{ type: 'text', text }]
  }
  const titled = heading([named && `Document: ${named}`, about])
  const { type, data, media_type: mediaType, url, content } = isRecord(source) ? source : {}
  if (type === 'text' && typeof data === 'string') return [...titled, { type: 'text', text: data }]
  if (type === 'content' && typeof content === 'string')
    return [...titled, { type: 'text', text: content }]
  if (type === 'content' && Array.isArray(content)) {
    return [
      ...titled,
      ...content
        .filter(isRecord)
        .flatMap((block, index) => toParts(block, `${place}.source.content[${index}]`)),
    ]
  }
  const filename = named ?? 'document.pdf'
  if (type === 'base64' && typeof data === 'string' && typeof mediaType === 'string') {
    return [
      ...heading([about]),
      { type: 'file', file: { filename, file_data: `data:${mediaType};base64,${data}` } },
    ]
  }
  if (type === 'url' && typeof url === 'string')
    return [...heading([about]), { type: 'file', file: { filename, file_url: url } }]
  throw badRequest(
    `The document at ${place} cannot be read. Send it with a source of type "base64", "text", "content" or "url".`,
    {
      code: 'document_unreadable',
      param: place,
    },
  )
}

/** Returns the message that carries the result of a tool. */
export function toToolResult(block: Block, place: string): ChatMessage {
  const { tool_use_id: id, content, is_error: isError } = block
  if (typeof id !== 'string')
    throw badRequest('A tool_result block needs the tool_use_id of its call.')
  const blocks: Block[] =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : Array.isArray(content)
        ? content.filter(isRecord)
        : []
  const result = toContent(blocks, `${place}.content`)
  return { role: 'tool', tool_call_id: id, content: isError === true ? markError(result) : result }
}

function markError(content: string | Part[]): string | Part[] {
  return typeof content === 'string'
    ? `Error: ${content}`
    : [{ type: 'text', text: 'Error: ' }, ...content]
}
