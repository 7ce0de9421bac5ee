import { isRecord } from '../is-record.ts'

/**
 * @NOTE Estimates for upstreams that cannot count: four bytes per token fit English, and bytes fit
 *   other languages better than characters do.
 */
const BYTES_PER_TOKEN = 4
const MESSAGE_TOKENS = 4
const IMAGE_TOKENS = 1500
/** Types of image blocks in the formats of providers. */
const IMAGES: ReadonlySet<unknown> = new Set(['image', 'image_url', 'input_image'])

/**
 * Maximum length that is counted in full. Of a longer text, `PIECES` samples with this total length
 * are counted.
 */
const MOST_COUNTED = 1024 * 1024
const PIECES = 256

/**
 * Returns the number of bytes of a text; for a text that would take long to count, extrapolates
 * from samples spread over it.
 */
function bytesOf(text: string): number {
  if (text.length <= MOST_COUNTED) return Buffer.byteLength(text)
  let bytes = 0
  for (let piece = 0; piece < PIECES; piece += 1) {
    const from = Math.floor((text.length / PIECES) * piece)
    bytes += Buffer.byteLength(text.slice(from, from + MOST_COUNTED / PIECES))
  }
  return Math.round((bytes / MOST_COUNTED) * text.length)
}

/** Estimates the number of tokens of a text. */
export const textTokens = (text: string): number => Math.ceil(bytesOf(text) / BYTES_PER_TOKEN)

function contentTokens(content: unknown): number {
  if (typeof content === 'string') return textTokens(content)
  if (!Array.isArray(content)) return 0
  return content.filter(isRecord).reduce((sum, block) => sum + blockTokens(block), 0)
}

function blockTokens(block: Record<string, unknown>): number {
  if (IMAGES.has(block['type'])) return IMAGE_TOKENS
  if (block['type'] === 'tool_result') return MESSAGE_TOKENS + contentTokens(block['content'])
  return textTokens(typeof block['text'] === 'string' ? block['text'] : JSON.stringify(block))
}

/** The parts of a request that a model reads. */
interface Conversation {
  readonly messages: readonly { readonly content?: unknown }[]
  readonly system?: unknown
  readonly tools?: readonly unknown[] | null
}

/** Estimates the number of tokens of a conversation. */
export function estimateTokens({ messages, system, tools }: Conversation): number {
  const texts = messages.reduce(
    (sum, { content }) => sum + MESSAGE_TOKENS + contentTokens(content),
    0,
  )
  const toolTokens = (tools ?? []).reduce<number>(
    (sum, tool) => sum + textTokens(JSON.stringify(tool)),
    0,
  )
  return texts + contentTokens(system) + toolTokens
}
