import type { ChatCompletionRequest } from '#contract/completions.ts'
import { badRequest } from '../../../lib/errors.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { toOwnPart } from '../../../providers/index.ts'
import { isKnownBlock } from './note-request.ts'

/** Content block as received. */
export type Block = Readonly<Record<string, unknown>>

type ChatMessage = ChatCompletionRequest['messages'][number]
type FilePart = { type: 'file'; file: { filename: string; file_data?: string; file_url?: string } }
type Part =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | FilePart
  | ReturnType<typeof toOwnPart>

/** Options for reading blocks. */
export interface BlockReading {
  /** Names the blocks in error messages, e.g. `messages[0].content`. */
  readonly place: string
  /** True if the provider understands blocks of this format, those unknown here included. */
  readonly speaksMessages: boolean
}

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

function toImageUrl({ source }: Block): string | null {
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
  return null
}

/** Returns text as a string, or parts if there are images and documents. */
export function toContent(blocks: readonly Block[], reading: BlockReading): string | Part[] {
  const parts = blocks.flatMap((block, index) => toParts(block, within(reading, `[${index}]`)))
  return parts.every((part) => part.type === 'text')
    ? parts.map(({ text }) => text).join('\n')
    : parts
}

const within = ({ place, speaksMessages }: BlockReading, step: string): BlockReading => ({
  place: place + step,
  speaksMessages,
})

function toParts(block: Block, reading: BlockReading): Part[] {
  // Results are messages of their own.
  if (block['type'] === 'tool_result') return []
  if (block['type'] === 'image') return toImage(block, reading)
  if (block['type'] === 'document') return toDocument(block, reading)
  const text = textOf(block)
  if (text !== null) return [{ type: 'text', text }]
  return reading.speaksMessages && block['type'] != null ? [toOwnPart(block)] : []
}

/**
 * Throws for a block of a question that is neither read nor known to be left out, because the
 * question would be a different one without it.
 */
export function requireKnownBlocks(blocks: readonly Block[], place: string): void {
  const position = blocks.findIndex(
    (block) => block['type'] != null && textOf(block) === null && !isKnownBlock(block['type']),
  )
  if (position === -1) return
  const kind = JSON.stringify(String(blocks[position]!['type']).slice(0, 40))
  throw badRequest(
    `The block at ${place}[${position}] is of the kind ${kind}, which this model does not know. Send text, images or documents.`,
    { code: 'unknown_part', param: `${place}[${position}]` },
  )
}

function toImage(block: Block, { place, speaksMessages }: BlockReading): Part[] {
  const url = toImageUrl(block)
  if (url !== null) return [{ type: 'image_url', image_url: { url } }]
  if (speaksMessages) return [toOwnPart(block)]
  throw badRequest(
    `The image at ${place} needs a source of type "base64" with media_type and data, or of type "url".`,
  )
}

/**
 * Converts a document. Its title and context are placed before its content, because no other
 * dialect has fields for them.
 */
function toDocument(block: Block, reading: BlockReading): Part[] {
  const { source, title, context } = block
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
        .flatMap((inner, index) => toParts(inner, within(reading, `.source.content[${index}]`))),
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
  if (reading.speaksMessages) return [toOwnPart(block)]
  throw badRequest(
    `The document at ${reading.place} cannot be read. Send it with a source of type "base64", "text", "content" or "url".`,
    {
      code: 'document_unreadable',
      param: reading.place,
    },
  )
}

/** Returns the message that carries the result of a tool. */
export function toToolResult(block: Block, reading: BlockReading): ChatMessage {
  const { tool_use_id: id, content, is_error: isError } = block
  if (typeof id !== 'string')
    throw badRequest('A tool_result block needs the tool_use_id of its call.')
  const blocks: Block[] =
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : Array.isArray(content)
        ? content.filter(isRecord)
        : []
  const result = toContent(blocks, within(reading, '.content'))
  return { role: 'tool', tool_call_id: id, content: isError === true ? markError(result) : result }
}

function markError(content: string | Part[]): string | Part[] {
  return typeof content === 'string'
    ? `Error: ${content}`
    : [{ type: 'text', text: 'Error: ' }, ...content]
}
