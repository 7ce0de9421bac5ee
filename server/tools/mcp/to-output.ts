import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import { cleanToolText } from '#contract/openapi/clean-text.ts'
import type { ToolFile, ToolOutput } from '../calls/tool.ts'

interface Piece {
  /** Value for the model; JSON is parsed. */
  readonly value: unknown
  readonly file?: ToolFile
}

/** Parses text that is JSON, so that several pieces become one list. */
function parseText(text: string): unknown {
  const clean = cleanToolText(text)
  if (!/^\s*[[{]/.test(clean)) return clean
  try {
    return JSON.parse(clean) as unknown
  } catch {
    return clean
  }
}

const kindOf = (type: string): ToolFile['type'] =>
  type.startsWith('image/') ? 'image' : type.startsWith('audio/') ? 'audio' : 'file'

function filePiece(base64: string, mediaType: string, name: string | null): Piece {
  const file: ToolFile = {
    type: kindOf(mediaType),
    mediaType,
    bytes: Buffer.from(base64, 'base64'),
    name,
  }
  const kind = file.type === 'image' ? 'picture' : file.type === 'audio' ? 'recording' : 'file'
  return { value: `A ${kind} (${mediaType}) was made and is shown to the person.`, file }
}

function toPiece(block: ContentBlock): Piece {
  if (block.type === 'text') return { value: parseText(block.text) }
  if (block.type === 'image' || block.type === 'audio')
    return filePiece(block.data, block.mimeType, null)
  if (block.type === 'resource_link') {
    const { uri, name, title, description } = block
    return {
      value: {
        resource: uri,
        name: cleanToolText(title ?? name),
        ...(description && { description: cleanToolText(description) }),
      },
    }
  }
  const { resource } = block
  if ('text' in resource) return { value: parseText(resource.text) }
  return filePiece(
    resource.blob,
    resource.mimeType ?? 'application/octet-stream',
    resource.uri.split('/').at(-1) || null,
  )
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2)

/** Returns a result's text for the model: its only value, or a list of them. */
function textOfPieces(values: readonly unknown[]): string {
  if (values.length === 0) return 'Done; the tool gave no content.'
  return values.length === 1 ? asText(values[0]) : asText({ results: values })
}

/**
 * Converts all kinds of content to the forms for the model and the user; structured content is used
 * if there is no other.
 */
export function toOutput(result: CallToolResult): ToolOutput {
  const pieces = result.content.map(toPiece)
  const values = pieces.map(({ value }) => value)
  if (values.length === 0 && result.structuredContent !== undefined)
    values.push(result.structuredContent)
  return {
    text: textOfPieces(values),
    isError: result.isError === true,
    files: pieces.flatMap(({ file }) => (file ? [file] : [])),
    embeds: [],
  }
}
