import type { ChatCompletionRequest } from '#contract/completions.ts'
import { badRequest } from '../../../lib/errors.ts'
import { isRecord } from '../../../lib/is-record.ts'

/** A block of content as it came. */
export type Block = Readonly<Record<string, unknown>>

type ChatMessage = ChatCompletionRequest['messages'][number]
type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

const IMAGE_TYPE = /^image\/[\w.+-]{1,60}$/

function textOf(block: Block): string | null {
  if (typeof block['text'] === 'string') return block['text']
  const { source } = block
  if (block['type'] === 'document' && isRecord(source)) {
    if (source['type'] === 'text' && typeof source['data'] === 'string') return source['data']
    return source['type'] === 'content' ? textOfBlocks(source['content']) : null
  }
  if (block['type'] !== 'search_result') return null
  const lines = [block['title'], block['source'], textOfBlocks(block['content'])]
  return lines.filter((line) => typeof line === 'string' && line !== '').join('\n')
}

/** The text of a string or of blocks, joined by line breaks; blocks without text are left out. */
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
    if (type === 'base64' && typeof data === 'string' && typeof mediaType === 'string' && IMAGE_TYPE.test(mediaType)) {
      return `data:${mediaType};base64,${data}`
    }
  }
  throw badRequest('An image needs a source of type "base64" with media_type and data, or of type "url".')
}

/** Text as a string, or parts where there are images. */
export function toContent(blocks: readonly Block[]): string | Part[] {
  if (!blocks.some(({ type }) => type === 'image')) return textOfBlocks(blocks)
  return blocks.flatMap((block): Part[] => {
    if (block['type'] === 'image') return [{ type: 'image_url', image_url: { url: toImageUrl(block) } }]
    const text = textOf(block)
    return text === null ? [] : [{ type: 'text', text }]
  })
}

/** The message that carries the result of a tool. */
export function toToolResult(block: Block): ChatMessage {
  const { tool_use_id: id, content, is_error: isError } = block
  if (typeof id !== 'string') throw badRequest('A tool_result block needs the tool_use_id of its call.')
  const blocks: Block[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content.filter(isRecord) : []
  const result = toContent(blocks)
  return { role: 'tool', tool_call_id: id, content: isError === true ? markError(result) : result }
}

function markError(content: string | Part[]): string | Part[] {
  return typeof content === 'string' ? `Error: ${content}` : [{ type: 'text', text: 'Error: ' }, ...content]
}
