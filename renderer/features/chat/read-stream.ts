import type { ChatCompletionChunk } from '#contract/completions.ts'
import { readEvents } from '../../api/read-events.ts'

/** What one frame of a streamed answer adds. */
export interface AnswerPiece {
  readonly content: string
  readonly reasoning: string
  /** The message it belongs to, when several are written at once. */
  readonly messageId: string | null
  /** The sentence of a failure inside the stream. */
  readonly failure: string | null
  /** What the answer rests on, which is told before its first word; null in every other frame. */
  readonly sources: readonly Readonly<Record<string, unknown>>[] | null
}

/** Reads an answer that comes over the call itself, when there is no live socket. */
export async function* readAnswer(body: ReadableStream<Uint8Array>): AsyncGenerator<AnswerPiece> {
  for await (const data of readEvents(body)) {
    if (data === '[DONE]') return
    const chunk = JSON.parse(data) as Partial<ChatCompletionChunk> & {
      error?: { message?: string }
      message_id?: string
      sources?: unknown
    }
    const delta = chunk.choices?.[0]?.delta
    yield {
      content: delta?.content ?? '',
      reasoning: delta?.reasoning_content ?? '',
      messageId: chunk.message_id ?? null,
      failure: chunk.error?.message ?? null,
      sources: Array.isArray(chunk.sources) ? chunk.sources : null,
    }
  }
}
